// Memory for the large tables of a report, in the system's large pages (2 MB instead of 4 KB): a page that is touched
// for the first time is a trap into the kernel, and on a virtual machine often into what is below it. A log of 200 MB
// made 66,000 of them, which took a third of the time of its summary.
//
// All of C++'s memory comes from here, as the library's other forms of new and delete call these; free() takes it back
// wherever it lies.
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr size_t kPage = 2 << 20;
// At most a third of such memory may then be in the last page, unused.
constexpr size_t kLeast = 3 * kPage / 2;

void* take(size_t size) {
  if (size < kLeast) return std::malloc(size == 0 ? 1 : size);
  void* const memory =
      size > SIZE_MAX - kPage ? nullptr : std::aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage);
  if (memory != nullptr) madvise(memory, size, MADV_HUGEPAGE);  // a system that has none goes on with small ones
  return memory;
}

#ifdef M_ARENA_MAX
// glibc gives each thread that sums in the background an arena, for which it reserves 128 MB of address space: too much
// where that is limited (ulimit -v). The threads seldom ask for memory at the same time.
const bool has_one_arena = mallopt(M_ARENA_MAX, 1) == 1;
#endif

}  // namespace

void* operator new(size_t size) {
  for (;;) {
    if (void* const memory = take(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
