// Information in /proc/self about the process's threads and their stacks. On threads with a descriptor table of their
// own (base/files/own_files.h); what has no other note, on the manager thread only.
#pragma once

#include <cstdint>

#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {

// How many threads the process has; -1 if the system does not say. Any such thread.
int64_t count_threads();

// Whether the process has a thread with this id. Any thread.
bool is_alive(uint32_t tid);

// The threads of this process, as the system lists them, read entry by entry. A thread that starts or ends meanwhile
// may be missing. Any such thread; neither locks nor allocates.
class TaskList {
 public:
  TaskList();
  ~TaskList();
  TaskList(const TaskList&) = delete;
  TaskList& operator=(const TaskList&) = delete;

  bool is_open() const { return directory_ >= 0; }
  // The next thread's id, 0 at the end.
  uint32_t next();

 private:
  int directory_;
  long filled_ = 0;
  long at_ = 0;
  alignas(8) char buffer_[8192];
};

enum class ThreadState {
  kRuns,     // on a processor or runnable
  kWaits,    // in a system call, or for a page
  kUnknown,  // it ended, or the files cannot be read
};

// Fills `at` if the thread waits. Any such thread; neither locks nor allocates.
ThreadState read_thread_state(uint32_t tid, BlockedAt& at);

// Nanoseconds that a thread was runnable without a processor since its start; -1 if unknown.
int64_t read_run_delay_ns(uint32_t tid);

// Whether the thread blocks this signal; false if unknown.
bool has_blocked(uint32_t tid, int signal);

// Finds and sets the stack bounds of all slots that need them, which a handler could not find.
void find_stack_bounds();

}  // namespace oriel::sampling
