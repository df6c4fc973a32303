// Makes logs such as a program leaves whose calls and allocations are logged: threads that go up and down a call graph.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace oriel::bench {

struct CallLogShape {
  uint64_t events = 50'000'000;  // enters and leaves, at least
  uint32_t threads = 4;
  uint32_t methods = 3'000;
  uint32_t classes = 300;
  uint32_t mean_depth = 25;
  uint32_t calls_an_object = 4;  // 0: none
};

// Writes the log and tells how many calls are in it. The same shape gives the same log but for the date.
Result<uint64_t> make_call_log(const std::string& path, const CallLogShape& shape);

}  // namespace oriel::bench
