// What events and records have, as the C interface describes it: made from the log's own definitions (log/records.h,
// log/event.h), so that nothing is listed twice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/log.h"

namespace oriel::reader {

// Each record that a sink hears by itself.
enum class RecordIndex : size_t {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) k_##name,
#include "log/blocks.def"
#define ORIEL_RECORD(function, name, Record) k_##name,
#include "log/records.def"
  k_coverage,
  kCount
};

const oriel_log_description* description_of(RecordIndex record);

}  // namespace oriel::reader
