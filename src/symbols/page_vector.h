// Vectors whose large blocks are separate pages: temporary data goes back to the system instead of fragmenting the
// heap, which the program shares.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace oriel::symbols {

template <typename T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT(google-explicit-constructor): as the standard asks

  T* allocate(size_t count) {
    if (!has_pages(count)) return static_cast<T*>(::operator new(count * sizeof(T)));
    void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) {
    if (!has_pages(count)) return ::operator delete(memory);
    munmap(memory, count * sizeof(T));
  }

  bool operator==(const PageAllocator&) const { return true; }

 private:
  static constexpr size_t kPages = 16 * 1024;  // minimum size of a block with separate pages, in bytes
  static bool has_pages(size_t count) { return count >= kPages / sizeof(T); }
};

template <typename T>
using PageVector = std::vector<T, PageAllocator<T>>;

}  // namespace oriel::symbols
