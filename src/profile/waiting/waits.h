// What threads waited for, in the words of who wrote the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class WaitFor : uint8_t {
  kIdle,         // for work: threads of pools and of the runtime, and a main thread whose program runs elsewhere
  kSleep,        // time to pass
  kLock,         // a lock that another thread has
  kTask,         // a task, as by Wait or Result
  kSignal,       // an event, a semaphore, a condition, a queue
  kThread,       // other threads' work or end
  kNetwork,      // data, a connection or a name from elsewhere
  kFile,         // files and pipes
  kDatabase,     // an answer of a database
  kProcess,      // another process
  kConsole,      // the person at the terminal
  kCollection,   // a garbage collection
  kCompilation,  // code that another thread compiles, types that it loads
  kRuntime,      // the runtime, which does something else for it
  kMemory,       // a page of memory that the system brings in
  kSystem,       // what the system does for it, by a call of the method's own
};
inline constexpr size_t kWaitsFor = static_cast<size_t>(WaitFor::kSystem) + 1;

// A worker of the thread pool.
bool is_pool_thread(const Thread& thread);

// What a stack tells of its wait.
struct WaitPlace {
  WaitFor what = WaitFor::kIdle;
  uint32_t callee = 0;  // index into functions: what waits, called by own code or by what that called; 0: not known
  uint32_t own = 0;     // index into nodes: the nearest of own code; 0 if there is none
};

// By node: whether a thread that waits there is idle, no matter what it is asked.
std::vector<bool> idle_nodes(const Profile& profile);

// By function: whether it stands for waiting, below what waits.
std::vector<bool> waiting_functions(const Profile& profile);

// Moves the samples of threads that wait to Profile::waits; where samples are of real time, they stay among these too.
void part_waits(Profile& profile);

// Waits at one place in own code for one thing.
struct WaitRow {
  WaitPlace place;
  uint64_t periods = 0;
  uint64_t pool_periods = 0;  // of these, of threads of the pool
  uint32_t threads = 0;
};

struct Waits {
  std::vector<WaitRow> rows;  // most first; those of idle threads only where the filter has them
  uint64_t periods = 0;       // of all that is not idle
  uint64_t idle = 0;          // of idle threads
  uint32_t threads = 0;       // that these are of
  int64_t lived_ns = 0;       // for how long these threads were there, all together
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> row_of;  // by Profile::waits; kNoRow: an idle thread's
};
Waits waits(const Profile& profile);

}  // namespace oriel::profile
