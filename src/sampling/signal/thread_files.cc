#include "sampling/signal/thread_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oriel::sampling {
namespace {

// Returns how much was read, 0 if the file cannot be; the text is terminated.
template <size_t kSize>
size_t read_file(uint32_t tid, const char* name, char (&text)[kSize]) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%u/%s", tid, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = read(file, text, kSize - 1);
  close(file);
  const size_t size = got > 0 ? static_cast<size_t>(got) : 0;
  text[size] = '\0';
  return size;
}

}  // namespace

// "running", or the call's number and arguments (-1 where it is none) followed by stack pointer and instruction
// pointer: proc_pid_syscall(5).
ThreadState read_thread_state(uint32_t tid, BlockedAt& at) {
  char text[256];
  if (read_file(tid, "syscall", text) == 0) return ThreadState::kUnknown;
  if (text[0] == 'r') return ThreadState::kRuns;
  const char* const ip = strrchr(text, ' ');
  if (!ip) return ThreadState::kUnknown;
  const char* sp = ip;
  while (sp > text && sp[-1] != ' ') sp--;
  at.sp = strtoul(sp, nullptr, 16);
  at.ip = strtoul(ip + 1, nullptr, 16);
  return at.sp != 0 ? ThreadState::kWaits : ThreadState::kUnknown;
}

// Time run, time waited to run, number of slices: Documentation/scheduler/sched-stats.rst of Linux.
int64_t read_run_delay_ns(uint32_t tid) {
  char text[128];
  if (read_file(tid, "schedstat", text) == 0) return -1;
  const char* const delay = strchr(text, ' ');
  return delay ? static_cast<int64_t>(strtoull(delay + 1, nullptr, 10)) : -1;
}

bool has_blocked(uint32_t tid, int signal) {
  static char text[4096];
  if (read_file(tid, "status", text) == 0) return false;
  const char* const mask = strstr(text, "\nSigBlk:");
  return mask && (strtoull(mask + sizeof("\nSigBlk:") - 1, nullptr, 16) >> (signal - 1) & 1) != 0;
}

}  // namespace oriel::sampling
