// Follows the calls of a log from its beginning, for its index (sample_index.h): what the calls of each piece add up
// to, and what they do to the threads' stacks of open calls. It says what a reader of the whole log would find
// (profile/build/calls.h).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "log/event.h"
#include "log/sample_index.h"

namespace oriel::log {

class PieceCalls {
 public:
  void add(uint64_t thread, std::span<const Call> calls);
  // Of other events than those of calls and allocations it takes nothing, and returns false.
  bool add(const Event& event);

  // What a thread did since is not known.
  void lose(uint64_t thread);
  // Of all threads: what they did since is not known. The piece cannot be told of by sums then.
  void end_all();

  const PassedCalls& sums() const { return sums_; }
  // What became of the stacks since the piece began. False if that is too much for an index, or is not known: more
  // calls were open before than it follows.
  bool stacks(std::vector<PassedStack>& stacks) const;
  void begin_piece();

 private:
  struct Thread {
    uint64_t id = 0;
    std::vector<uint64_t> open;  // methods, the outermost first
    size_t before = 0;           // how many were open when the piece began
    size_t kept = 0;             // how many of these still are
    bool is_in_piece = false;
    bool is_after_gap = false;
    uint64_t counter = 0;                    // of its first call in the piece; 0 as long as there are only losses
    uint64_t last = 0;                       // of its last one, likewise
    uint64_t waited_ns = 0, waiting_ns = 0;  // before its first one, and since its last one
  };
  Thread& thread_of(uint64_t id, uint64_t counter);
  void enter(Thread& thread, uint64_t counter, uint64_t method);
  void leave(Thread& thread, uint64_t method);
  void lose(Thread& thread, uint64_t events);
  static void wait(Thread& thread, uint64_t ns);
  void end_calls(Thread& thread, size_t count);

  std::unordered_map<uint64_t, Thread> threads_;
  std::vector<Thread*> in_piece_;
  PassedCalls sums_;
  size_t open_ = 0;  // of all threads
  bool follows_ = true;
};

}  // namespace oriel::log
