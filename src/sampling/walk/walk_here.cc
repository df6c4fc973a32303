
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/kept_errno.h"
#include "base/process/thread_key.h"
#include "base/static_tls.h"
#include "sampling/walk/own_registers.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {
namespace {

constexpr uint64_t kPatience = 100'000'000;

// A thread's walker. All of them are in one list for good; those of ended threads are reused.
struct OwnWalker : Walker {
  std::atomic<bool> taken{false};
  std::atomic<bool> walks{false};  // frame tables that it may be using are kept
  OwnWalker* next = nullptr;
};

constinit std::atomic<OwnWalker*> walkers{nullptr};
ORIEL_STATIC_TLS constinit thread_local OwnWalker* own = nullptr;

// Called by pthread when the thread ends.
void give_back(void* walker) {
  own = nullptr;
  static_cast<OwnWalker*>(walker)->taken.store(false, std::memory_order_release);
}

const ThreadKey walker_key(give_back);

OwnWalker* reuse_walker() {
  for (OwnWalker* walker = walkers.load(std::memory_order_acquire); walker; walker = walker->next) {
    if (!walker->taken.load(std::memory_order_relaxed) && !walker->taken.exchange(true, std::memory_order_acquire))
      return walker;
  }
  return nullptr;
}

OwnWalker* map_walker() {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* memory = mmap(nullptr, sizeof(OwnWalker), PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* walker = static_cast<OwnWalker*>(memory);  // zeroed pages are a valid walker
  walker->taken.store(true, std::memory_order_relaxed);
  walker->next = walkers.load(std::memory_order_relaxed);
  while (!walkers.compare_exchange_weak(walker->next, walker)) continue;
  return walker;
}

// Left unknown if the C library does not know them: reads then use system calls.
void find_own_bounds(Walker& walker) {
  uintptr_t low = 0, high = 0;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* address = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
      low = reinterpret_cast<uintptr_t>(address);
      high = low + size;
    }
    pthread_attr_destroy(&attributes);
  }
  walker.stack_low.store(low, std::memory_order_relaxed);
  walker.stack_high.store(high, std::memory_order_release);
}

OwnWalker* own_walker() {
  if (own) return own;
  OwnWalker* walker = reuse_walker();
  if (!walker) walker = map_walker();
  if (!walker) return nullptr;
  find_own_bounds(*walker);
  own = walker;
  walker_key.set(walker);
  return walker;
}

}  // namespace

OwnStack walk_own_stack(uintptr_t from) {
  const KeptErrno kept;  // failing reads are part of a walk
  OwnWalker* const walker = own_walker();
  if (!walker) return {nullptr, 0, true};
  walker->walks.store(true);  // before any use of the tables: see refresh_frame_tables
  const Walk walk = walk_stack(*walker, own_registers());
  walker->walks.store(false, std::memory_order_release);
  size_t ours = 0;
  while (ours < walk.depth && walker->frames[ours] != from) ours++;
  return {walker->frames + ours, walk.depth - ours, walk.end != WalkEnd::kThreadStart};
}

bool wait_for_own_walks() {
  const uint64_t until = clock_monotonic_ns() + kPatience;
  for (const OwnWalker* walker = walkers.load(); walker; walker = walker->next) {
    while (walker->walks.load()) {
      if (clock_monotonic_ns() > until) return false;
      usleep(20);
    }
  }
  return true;
}

}  // namespace oriel::sampling
