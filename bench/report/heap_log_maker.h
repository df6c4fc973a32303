// Makes logs with snapshots of a heap: a growing dictionary of orders, with their lists, lines and texts.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace oriel::bench {

struct HeapLogShape {
  uint64_t objects = 22'000'000;  // of the last snapshot, about
  uint32_t snapshots = 2;         // those before are smaller by an equal part each
};

// Writes the log and tells how many objects its last snapshot has.
Result<uint64_t> make_heap_log(const std::string& path, const HeapLogShape& shape);

}  // namespace oriel::bench
