// Makes logs such as a busy server leaves: threads that walk a call graph of the program's own methods, a package's and
// the framework's, with the places in them; the runtime's native code and threads; collections, exceptions, JIT.
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
  uint32_t collections = 10;  // a second; with as many exceptions and compiled methods
  uint32_t mean_depth = 40;
  // From then on stacks come again, as they do in a program that has run for hours; some much oftener than others.
  uint64_t most_nodes = UINT64_MAX;
  std::string pdb;  // made too, for the program's own methods; "" for none
};

// Writes the log and tells how many samples are in it. The same shape gives the same log but for the date.
Result<uint64_t> make_log(const std::string& path, const LogShape& shape);

}  // namespace oriel::bench
