// What threads waited for, in terms of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class WaitFor : uint8_t {
  kIdle,         // for work: pool and runtime threads, and a main thread whose program runs on other threads
  kSleep,        // a time interval
  kLock,         // a lock held by another thread
  kTask,         // a task, in Wait or Result
  kSignal,       // an event, semaphore, condition or queue
  kThread,       // other threads' work or exit
  kNetwork,      // data, connections and name resolution
  kFile,         // files and pipes
  kDatabase,     // a database's answer
  kProcess,      // another process
  kConsole,      // terminal input
  kCollection,   // a garbage collection
  kCompilation,  // JIT compilation or type loading by another thread
  kRuntime,      // other work of the runtime
  kMemory,       // a page fault
  kSystem,       // another system call
};
inline constexpr size_t kWaitsFor = static_cast<size_t>(WaitFor::kSystem) + 1;

// Whether it is a worker of the thread pool.
bool is_pool_thread(const Thread& thread);

// What a waiting stack waits for, and where.
struct WaitPlace {
  WaitFor what = WaitFor::kIdle;
  uint32_t callee = 0;  // index into functions: the waiting method, below own code; 0 if not known
  uint32_t own = 0;     // index into nodes: the nearest own place; 0 if there is none
};

// By node: whether a thread that waits there is idle, whatever kind of thread it is.
std::vector<bool> idle_nodes(const Profile& profile);

// By function: whether it is the pseudo-frame for waiting, at the leaf.
std::vector<bool> waiting_functions(const Profile& profile);

// Moves samples of waiting threads to Profile::waits; real-time samples stay in Profile::samples too.
void split_waits(Profile& profile);

// The waits for one thing at one place in own code.
struct WaitRow {
  WaitPlace place;
  uint64_t periods = 0;
  uint64_t pool_periods = 0;  // of these, of pool threads
  uint32_t looks = 0;         // how often a thread was seen in it
  std::vector<uint32_t> who;  // the threads, as indexes, ascending
};

struct WaitTotals {
  std::vector<WaitRow> rows;  // by periods, descending; with idle threads only if the filter has them
  uint64_t periods = 0;       // of all non-idle waits
  uint64_t idle = 0;          // of idle threads
  uint32_t threads = 0;       // number of threads in rows
  int64_t lived_ns = 0;       // total lifetime of these threads
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> row_of;  // by index of Profile::waits; kNoRow for an idle thread's
};
WaitTotals waits(const Profile& profile);

}  // namespace oriel::profile
