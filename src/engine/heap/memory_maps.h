// The memory of the calling process as the kernel has it, read without allocating: for a walk over the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace oriel {

struct MemoryArea {
  uintptr_t start, end;
  bool is_readable, is_writable, is_executable, is_shared;
  bool is_anonymous;       // no file, no name
  bool is_runtimes;        // shared by the runtime with itself, to write what it must not write where it runs
  bool is_native_library;  // a file with ".so" in its name that has no managed code
};

// Areas by rising address, which somebody else owns.
struct MemoryAreas {
  const MemoryArea* first = nullptr;
  size_t count = 0;

  const MemoryArea* end() const { return first + count; }
  // The area with this address; nullptr if there is none.
  const MemoryArea* around(uintptr_t address) const {
    const MemoryArea* const found = std::upper_bound(
        first, end(), address, [](uintptr_t wanted, const MemoryArea& area) { return wanted < area.end; });
    return found != end() && found->start <= address ? found : nullptr;
  }
  // Whether so many bytes can be read there.
  bool has(uintptr_t address, size_t bytes) const {
    const MemoryArea* const area = around(address);
    return area != nullptr && area->is_readable && bytes <= area->end - address;
  }
};

// Reads up to `most` areas, by rising address; returns how many, or -1.
int64_t read_memory_areas(MemoryArea* areas, size_t most);

// Which pages of memory are there.
class PresentPages {
 public:
  PresentPages();
  ~PresentPages();
  PresentPages(const PresentPages&) = delete;
  PresentPages& operator=(const PresentPages&) = delete;

  // Calls visit(start, end) for each run of the area's pages that have been touched. Where the kernel does not say, the
  // whole area is one.
  template <typename Visit>
  void for_each(const MemoryArea& area, Visit visit) {
    const uintptr_t start = area.start, end = area.end;
    uint64_t entries[kAtOnce];
    uintptr_t run = 0;
    for (uintptr_t at = start; at < end;) {
      const size_t wanted = (end - at) / kPage < kAtOnce ? (end - at) / kPage : kAtOnce;
      const size_t got = read(at, area.is_shared, entries, wanted);
      if (got == 0) {
        visit(run != 0 ? run : at, end);
        return;
      }
      for (size_t i = 0; i < got; ++i, at += kPage) {
        const bool is_there = (entries[i] & kPresentOrSwapped) != 0;
        if (is_there && run == 0) run = at;
        if (!is_there && run != 0) {
          visit(run, at);
          run = 0;
        }
      }
    }
    if (run != 0) visit(run, end);
  }

 private:
  static constexpr uintptr_t kPage = 4096;
  static constexpr size_t kAtOnce = 512;
  static constexpr uint64_t kPresentOrSwapped = uint64_t{3} << 62;
  size_t read(uintptr_t address, bool is_shared, uint64_t* entries, size_t count) const;
  static size_t read_shared(uintptr_t address, uint64_t* entries, size_t count);
  int file_;
};

}  // namespace oriel
