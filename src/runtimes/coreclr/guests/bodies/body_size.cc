#include "runtimes/coreclr/guests/bodies/body_size.h"

#include "base/copy_memory.h"
#include "il/encoded_size.h"

namespace oriel::coreclr {

size_t body_size(const uint8_t* body) {
  constexpr size_t kPage = 4096, kMost = size_t{1} << 26;
  const size_t first = kPage - reinterpret_cast<uintptr_t>(body) % kPage;
  for (size_t there = 0, next = first; there <= kMost && is_readable(body + there); next += kPage) {
    there = next;
    if (const size_t size = il::encoded_size({body, there}); size != 0) return size;
  }
  return 0;
}

}  // namespace oriel::coreclr
