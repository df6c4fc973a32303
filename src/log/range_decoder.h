// Decodes a log for a part of its time: what its index (sample_index.h) says of the rest instead of the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>

#include "base/status.h"
#include "log/decoder.h"
#include "log/sample_index.h"

namespace oriel::log {

// The samples and calls that a reader wants: those within the range, of all threads but some.
struct LogPart {
  CounterRange range;
  std::unordered_set<uint64_t> left_out = {};  // ids of threads
};

// As decode_file, but pieces of the log without such samples and calls are not read: they are told by RangeSink. Pieces
// that are read are told whole. An index that does not fit the log's length is not used; else it is believed, and its
// lengths are not. May throw std::bad_alloc.
Result<DecodeOutcome> decode_range(const std::string& path, const SampleIndex& index, const LogPart& part,
                                   RangeSink& sink, const std::function<void(uint64_t, uint64_t)>& progress = {});

}  // namespace oriel::log
