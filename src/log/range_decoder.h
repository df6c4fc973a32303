// Decodes a log for a part of its time: what its index (sample_index.h) says of the rest instead of the rest.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "log/decoder.h"
#include "log/sample_index.h"

namespace oriel::log {

// As decode_file, but pieces of the log that have no sample or call within the range are not read: these are told by
// RangeSink. An index that does not fit the log's length is not used; else it is believed, and its lengths are not. May
// throw std::bad_alloc.
Result<DecodeOutcome> decode_range(const std::string& path, const SampleIndex& index, const CounterRange& range,
                                   RangeSink& sink, const std::function<void(uint64_t, uint64_t)>& progress = {});

}  // namespace oriel::log
