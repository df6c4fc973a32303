// Any bytes may be in a .nettrace file: it is read as far as it goes, or refused with a sentence, and what is made of
// it is a log that can be read.
#include <cstdlib>
#include <cstring>
#include <span>

#include "fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const oriel::imports::TraceBytes bytes{size, [&](uint64_t offset, void* to, size_t wanted) {
                                           if (offset > size || wanted > size - offset) return false;
                                           std::memcpy(to, data + offset, wanted);
                                           return true;
                                         }};
  oriel::imports::LogMaker maker;
  oriel::fuzz::check(oriel::imports::parse_nettrace(bytes, maker), maker);
  return 0;
}
