// Makes logs such as a busy program leaves: threads that walk a call graph, sampled; collections, exceptions, JIT.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace oriel::bench {

struct LogShape {
  uint64_t bytes = 200'000'000;  // at least; the log ends with the flush that gets there
  uint32_t threads = 8;
  uint32_t methods = 20'000;
  uint32_t hz = 1000;
  uint32_t mean_depth = 40;
};

// Writes the log and tells how many samples are in it. The same shape gives the same log but for the date.
Result<uint64_t> make_log(const std::string& path, const LogShape& shape);

}  // namespace oriel::bench
