// Logical stacks: moves stacks in async methods under the methods that await them; the physical stack only shows what
// resumed them.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// An interval in which an async method ran on a thread.
struct AsyncRun {
  static constexpr uint32_t kNone = UINT32_MAX;
  int64_t begin_ns = 0;
  int64_t end_ns = -1;       // -1: still running at the end of the log
  uint32_t thread = 0;       // index into threads
  uint32_t function = 0;     // index into functions
  uint32_t under = 0;        // node of its awaiting methods; 0 if not known
  uint32_t outer = kNone;    // the enclosing run: index into these
  bool is_of_outer = false;  // the enclosing run is of the awaiting call, so the physical stack already shows it
};

// An interval in which an async method waited for work that it queued to other threads.
struct QueueingWait {
  int64_t start_ns = 0;
  int64_t end_ns = -1;  // -1: still waiting at the end of the log
  uint32_t node = 0;    // of the wait
};
using QueueingWaits = std::map<uint32_t, std::vector<QueueingWait>>;  // by queued function, sorted by start

// Maps physical to logical stacks, by thread and time.
class LogicalStacks {
 public:
  // The profile must have its nodes; adds more to them. Runs must be sorted by start; without runs, stacks stay
  // unchanged.
  LogicalStacks(std::vector<AsyncRun> runs, QueueingWaits handed, Profile& profile);

  uint32_t of(uint32_t thread, int64_t ns, uint32_t node);

 private:
  // What determines where a stack moves, so that equal ones are moved once: the run's function, the node that the
  // outermost run hangs from, and the number of runs in between.
  using RunKey = std::tuple<uint32_t, uint32_t, uint32_t>;

  uint32_t run_at(uint32_t thread, int64_t ns) const;
  RunKey key_of(uint32_t run) const;
  uint32_t moved(uint32_t leaf, uint32_t run);
  // For a stack without async methods.
  uint32_t under_queueing_wait(int64_t ns, uint32_t leaf);
  uint32_t put_under(uint32_t node, const std::vector<uint32_t>& frames);
  uint32_t child(uint32_t parent, uint32_t like);

  std::vector<AsyncRun> runs_;
  QueueingWaits handed_;
  Profile& profile_;
  std::vector<std::vector<uint32_t>> of_thread_;  // by thread: runs sorted by start
  std::map<std::pair<uint32_t, RunKey>, uint32_t> moved_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> children_;
};

}  // namespace oriel::profile
