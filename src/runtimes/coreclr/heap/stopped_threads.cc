#include "runtimes/coreclr/heap/stopped_threads.h"

#include <unistd.h>

#include "sampling/signal/proc.h"

namespace oriel::coreclr {

void StoppedThreads::read() {
  count_ = 0;
  if (!threads_) return;
  const auto own = static_cast<uint32_t>(gettid());
  sampling::TaskList tasks;
  while (const uint32_t thread = tasks.is_open() && count_ < kMost ? tasks.next() : 0) {
    sampling::BlockedAt at;
    if (thread != own && sampling::read_thread_state(thread, at) == sampling::ThreadState::kWaits)
      threads_.as<StoppedThread>()[count_++] = {thread, at.sp};
  }
}

}  // namespace oriel::coreclr
