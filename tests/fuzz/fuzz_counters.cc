// Any bytes may come to the reader of counters' files.
#include <cstdint>
#include <cstdlib>

#include "log/counters_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto periods = oriel::log::read_counters({data, size});
  if (!periods) {
    if (periods.message().empty()) std::abort();
    return 0;
  }
  if (periods->empty() || periods->size() > 2) std::abort();
  if (periods->front().methods.size() != periods->back().methods.size()) std::abort();
  return 0;
}
