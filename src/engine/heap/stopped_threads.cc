#include "engine/heap/stopped_threads.h"

#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process/thread_id.h"
#include "sampling/signal/proc.h"

namespace oriel {
namespace {

constexpr timespec kPause{0, 200'000};
constexpr int kMostPauses = 10;

// Where the system finds the mutexes of a thread that ends: in its control block, which lies above the stack in the
// same mapping (get_robust_list(2)). The main thread's lies elsewhere, and the system has put random bytes above its
// stack.
uintptr_t address_in_stack(uint32_t thread) {
  if (thread == static_cast<uint32_t>(getpid())) return getauxval(AT_RANDOM);
  robust_list_head* list = nullptr;
  size_t size = 0;
  return syscall(SYS_get_robust_list, thread, &list, &size) == 0 ? reinterpret_cast<uintptr_t>(list) : 0;
}

// False if it is not known to wait.
bool look_at(StoppedThread& thread) {
  sampling::BlockedAt at;
  if (sampling::read_thread_state(thread.os_id, at) != sampling::ThreadState::kWaits) return false;
  thread.in_stack = at.sp;
  thread.is_running = false;
  return true;
}

}  // namespace

void StoppedThreads::read() {
  count_ = 0;
  if (!threads_) return;
  auto* const threads = threads_.as<StoppedThread>();
  const auto own = thread_id();
  sampling::TaskList tasks;
  while (const uint32_t thread = tasks.is_open() && count_ < kMost ? tasks.next() : 0)
    if (thread != own) threads[count_++] = {thread, 0, true};
  const auto looked_at_all = [&] {
    size_t others = 0;
    for (StoppedThread& thread : std::span(threads, count_)) others += thread.is_running && !look_at(thread) ? 1 : 0;
    return others == 0;
  };
  for (int pause = 0; !looked_at_all() && pause < kMostPauses; ++pause) nanosleep(&kPause, nullptr);
  for (StoppedThread& thread : std::span(threads, count_))
    if (thread.is_running) thread.in_stack = address_in_stack(thread.os_id);
}

}  // namespace oriel
