// Stacks in async methods, put under those that await them: the thread's stack tells only what went on with them.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// A time in which an async method ran on a thread.
struct AsyncRun {
  static constexpr uint32_t kNone = UINT32_MAX;
  int64_t begin_ns = 0;
  int64_t end_ns = -1;       // -1: not over when the log ends
  uint32_t thread = 0;       // index into threads
  uint32_t function = 0;     // index into functions
  uint32_t under = 0;        // the node of those that await it, 0: none that is known
  uint32_t outer = kNone;    // the run inside of which it is: index into these
  bool is_of_outer = false;  // which is of the one that awaits it: the stack itself shows it there
};

// A time in which an async method waited for what it had handed to other threads.
struct HandedStack {
  int64_t start_ns = 0;
  int64_t end_ns = -1;  // -1: not over when the log ends
  uint32_t node = 0;    // of the wait
};
using HandedStacks = std::map<uint32_t, std::vector<HandedStack>>;  // by function that was handed over; by start

// Where a stack stands that was met on a thread at a time.
class LogicalStacks {
 public:
  // Of a profile that has its nodes; makes more of them. Runs are in the order of their begins; without any, all stacks
  // stand where they are.
  LogicalStacks(std::vector<AsyncRun> runs, HandedStacks handed, Profile& profile);

  uint32_t of(uint32_t thread, int64_t ns, uint32_t node);

 private:
  // What decides where a stack goes, so that each is moved once: the run where the stack of the thread begins to tell,
  // and how many runs further in it was.
  using RunKey = std::tuple<uint32_t, uint32_t, uint32_t>;

  uint32_t run_at(uint32_t thread, int64_t ns) const;
  RunKey key_of(uint32_t run) const;
  uint32_t moved(uint32_t leaf, uint32_t run);
  // A stack of no async method.
  uint32_t under_who_handed(int64_t ns, uint32_t leaf);
  uint32_t put_under(uint32_t node, const std::vector<uint32_t>& frames);
  uint32_t child(uint32_t parent, uint32_t like);

  std::vector<AsyncRun> runs_;
  HandedStacks handed_;
  Profile& profile_;
  std::vector<std::vector<uint32_t>> of_thread_;  // runs, by begin
  std::map<std::pair<uint32_t, RunKey>, uint32_t> moved_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> children_;
};

}  // namespace oriel::profile
