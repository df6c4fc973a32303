// Any bytes may come to the reader of counters' files, and any segments behind a header that it takes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "base/files/coverage_file.h"
#include "log/counters_file.h"

namespace {

using oriel::coverage_file::Header;

template <typename T>
void put(std::vector<uint8_t>& file, size_t at, const T& value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

// The header's unit of the present version is not for the fuzzer to find: the first byte chooses what it says.
std::vector<uint8_t> file_of(uint8_t choice, const uint8_t* segments, size_t size) {
  std::vector<uint8_t> file(oriel::coverage_file::kUnit + size);
  const uint64_t period = 1, bytes = file.size();
  const uint64_t ended = (choice & 2) == 0 ? oriel::coverage_file::kNoPeriod : (choice & 4) == 0 ? period - 1 : period;
  put(file, 0, oriel::coverage_file::kMagic);
  put(file, offsetof(Header, version), oriel::coverage_file::kVersion);
  put(file, offsetof(Header, counts), uint32_t{choice} & 1);
  put(file, offsetof(Header, bytes), bytes);
  put(file, offsetof(Header, period), period);
  put(file, offsetof(Header, ended_period), ended);
  if (size != 0) std::memcpy(file.data() + oriel::coverage_file::kUnit, segments, size);
  return file;
}

// Whether they are taken.
bool read(std::span<const uint8_t> bytes) {
  const auto periods = oriel::log::read_counters(bytes);
  if (!periods) {
    if (periods.message().empty()) std::abort();
    return false;
  }
  if (periods->empty() || periods->size() > 2) std::abort();
  if (periods->front().methods.size() != periods->back().methods.size()) std::abort();
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read({data, size});
  if (size != 0 && !read(file_of(data[0], data + 1, size - 1))) std::abort();
  return 0;
}
