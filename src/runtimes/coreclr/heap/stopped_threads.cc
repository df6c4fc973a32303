#include "runtimes/coreclr/heap/stopped_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oriel::coreclr {
namespace {

// proc_pid_syscall(5): "202 0x7f… 0x0 … 0x7ffd… 0x7f…", the last two the stack pointer and the program counter, or
// "running".
uintptr_t stack_pointer_of(int tasks, const char* thread) {
  char path[32];
  std::snprintf(path, sizeof path, "%.15s/syscall", thread);
  const int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[256];
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  char* const last = std::strrchr(text, ' ');
  if (last == nullptr) return 0;
  *last = 0;
  const char* const stack = std::strrchr(text, ' ');
  return stack == nullptr ? 0 : std::strtoull(stack + 1, nullptr, 16);
}

}  // namespace

void StoppedThreads::read() {
  count_ = 0;
  const int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0 || !threads_) return;
  const auto own = static_cast<uint32_t>(gettid());
  alignas(dirent64) char entries[4096];
  for (;;) {
    const long got = syscall(SYS_getdents64, tasks, entries, sizeof entries);
    if (got <= 0) break;
    for (long at = 0; at < got && count_ < kMost;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const auto thread = static_cast<uint32_t>(std::strtoul(entry->d_name, nullptr, 10));
      if (thread == 0 || thread == own) continue;
      const uintptr_t stack_pointer = stack_pointer_of(tasks, entry->d_name);
      if (stack_pointer != 0) threads_.as<StoppedThread>()[count_++] = {thread, stack_pointer};
    }
  }
  close(tasks);
}

}  // namespace oriel::coreclr
