// What the system's files under /proc/self/task say of one thread: each is opened, read and closed at once. For
// a thread that has files of its own (base/own_files.h).
#pragma once

#include <cstdint>

namespace oriel::sampling {

enum class ThreadState {
  kRuns,     // on a processor or about to be
  kWaits,    // in a system call, or for a page
  kUnknown,  // it ended, or the files cannot be read
};

// Where a thread that waits will go on.
struct BlockedAt {
  uintptr_t ip = 0;
  uintptr_t sp = 0;
};

// Fills `at` if the thread waits. Only on the manager thread, as the rest.
ThreadState read_thread_state(uint32_t tid, BlockedAt& at);

// Nanoseconds that a thread was ready to run and had no processor, since it began; -1 if not known.
int64_t read_run_delay_ns(uint32_t tid);

// Whether the thread has this signal blocked; false if not known.
bool has_blocked(uint32_t tid, int signal);

}  // namespace oriel::sampling
