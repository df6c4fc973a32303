#include "sampling/signal/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/files/descriptor.h"
#include "base/process/maps_line.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {
namespace {

// Returns how much was read, 0 if the file is unreadable; the text is terminated.
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

// Otherwise a program whose threads run on stacks of its own would make every scan read the map again.
constexpr uint8_t kMaxTries = 20;

constexpr uintptr_t kMainStackGap = 64u << 20;

// A mapping is a thread's stack if the stack pointer and the thread's control block lie in it: the range between the
// two exists as long as the thread. The main thread's stack is the one that the system names, and is not part of
// another mapping.
void offer(const MapsLine& mapping) {
  const auto contains = [&mapping](uintptr_t address) { return address >= mapping.start && address < mapping.end; };
  const bool is_main_stack = mapping.name == "[stack]";
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    if (!slot.wants_bounds.load(std::memory_order_acquire) || !contains(slot.stack_pointer.load())) continue;
    const uintptr_t control_block = slot.thread_pointer.load();
    const bool is_main = slot.tid.load() == static_cast<uint32_t>(getpid());
    if (!is_main_stack && (is_main || !contains(control_block))) continue;
    // The main stack grows; the system keeps this much below it free of other mappings.
    const uintptr_t low = is_main_stack ? mapping.end - kMainStackGap : mapping.start;
    // No frame of the thread lies above its control block, but the mapping may extend further: the system merges
    // adjacent ones, and the program may unmap the rest.
    const uintptr_t high = is_main_stack ? mapping.end : control_block;
    slot.stack_low.store(low, std::memory_order_relaxed);
    slot.stack_high.store(high, std::memory_order_release);
  }
}

void read_map(int file) {
  static char buffer[16384];
  size_t filled = 0;
  for (;;) {
    const ssize_t got = read(file, buffer + filled, sizeof(buffer) - 1 - filled);
    if (got <= 0) return;
    filled += static_cast<size_t>(got);
    buffer[filled] = '\0';
    const char* line = buffer;
    while (const char* end =
               static_cast<const char*>(std::memchr(line, '\n', static_cast<size_t>(buffer + filled - line)))) {
      MapsLine mapping;
      if (parse_maps_line({line, end}, mapping) && mapping.is_readable && mapping.is_writable) offer(mapping);
      line = end + 1;
    }
    filled -= static_cast<size_t>(line - buffer);
    std::memmove(buffer, line, filled);
  }
}

}  // namespace

bool is_alive(uint32_t tid) { return syscall(SYS_tgkill, getpid(), tid, 0) == 0; }

// A directory's links are itself, its parent's entry and its subfolders: one for each thread.
int64_t count_threads() {
  struct stat about {};
  return stat("/proc/self/task", &about) == 0 ? static_cast<int64_t>(about.st_nlink) - 2 : -1;
}

// As the kernel writes a directory's entry: getdents(2), struct linux_dirent64. Not every libc has that type.
struct KernelEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

TaskList::TaskList() : directory_(open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

TaskList::~TaskList() {
  if (directory_ >= 0) close(directory_);
}

uint32_t TaskList::next() {
  for (;;) {
    if (at_ >= filled_) {
      filled_ = syscall(SYS_getdents64, directory_, buffer_, sizeof(buffer_));
      at_ = 0;
      if (filled_ <= 0) return 0;
    }
    const auto* entry = reinterpret_cast<const KernelEntry*>(buffer_ + at_);
    at_ += entry->size;
    uint32_t tid = 0;
    for (const char* c = entry->name; *c >= '0' && *c <= '9'; c++) tid = tid * 10 + static_cast<uint32_t>(*c - '0');
    if (tid != 0) return tid;
  }
}

// "running", or the system call's number and arguments (-1 if none) followed by stack pointer and instruction pointer:
// proc_pid_syscall(5).
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

// Time on a processor, time runnable without one, number of slices: Documentation/scheduler/sched-stats.rst of Linux.
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

void find_stack_bounds() {
  bool wanted = false;
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    if (!slot.wants_bounds.load(std::memory_order_relaxed)) continue;
    if (slot.bounds_tries < kMaxTries) {
      slot.bounds_tries++;
      wanted = true;
    }
  }
  if (!wanted) return;
  const int file = open_with_high_number("/proc/self/maps", O_RDONLY);
  if (file < 0) return;
  read_map(file);
  close(file);
  for (uint32_t i = 0; i < used; i++) state.slots[i].wants_bounds.store(false, std::memory_order_relaxed);
}

}  // namespace oriel::sampling
