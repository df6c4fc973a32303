#include "engine/heap/native_memory.h"

#include <algorithm>

#include "base/copy_memory.h"

namespace oriel {

bool NativeMemory::prepare() {
  if (access_ == Access::kInPlace) {
    size_ = UINTPTR_MAX;
    return true;
  }
  // A word that is read at the piece's last byte goes on behind it.
  piece_ = PageMemory(kPiece + kBehind + kPage, PageMemory::Kind::kShared);
  const char known = 1;
  char got = 0;
  return piece_ && copy_memory(&known, &got, sizeof got);
}

bool NativeMemory::take(uintptr_t start, uintptr_t end) {
  if (access_ == Access::kInPlace) return true;
  auto* const to = piece_.as<char>();
  const size_t size = std::min<size_t>(end - start, kPiece + kBehind);
  bool any = copy_memory(reinterpret_cast<const void*>(start), to, size);
  if (!any) {
    for (uintptr_t at = start; at < start + size;) {
      const uintptr_t next = std::min(start + size, (at | (kPage - 1)) + 1);
      char* const its = to + (at - start);
      if (copy_memory(reinterpret_cast<const void*>(at), its, next - at))
        any = true;
      else
        std::memset(its, 0, next - at);
      at = next;
    }
  }
  start_ = start;
  size_ = any ? size : 0;
  shift_ = reinterpret_cast<uintptr_t>(to) - start;
  return any;
}

bool NativeMemory::copy(uintptr_t address, void* to, size_t bytes) const {
  if (access_ == Access::kCopied) return copy_memory(reinterpret_cast<const void*>(address), to, bytes);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

}  // namespace oriel
