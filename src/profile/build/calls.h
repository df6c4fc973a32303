// Processor of logged calls and allocations: sums them while they are read, and keeps no events.
//
// Each thread has a stack of open calls; the call paths form a tree. The time between two events of a thread counts as
// self time of the method on top of its stack, so inclusive times are sums over subtrees. Unpaired events are counted:
// leaves without enter, and enters without leave. Probe costs are subtracted at the end (probe_costs.h).
//
// Of a range of time only paths are kept that were open in it. Of other calls only the stacks are followed, so that
// what an index tells of them (log/sample_index.h) makes the same profile as they themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "log/event.h"
#include "log/sample_index.h"
#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/build/probe_costs.h"
#include "profile/functions.h"
#include "profile/hashed_rows.h"
#include "profile/profile.h"

namespace oriel::profile {

class Calls {
 public:
  // Counts only what happens between these counters; calls that overlap the range count with that part. Totals are of
  // the whole log.
  void limit(uint64_t from, uint64_t to);
  log::CounterRange limit() const { return {from_, to_}; }

  // Closes the open calls at `last_counter`, where the log ends, and moves all into `profile`, whose threads' indexes
  // are those of add() and whose nodes those of the stacks. Adds the functions that they meet. `costs` are what the
  // probes took.
  void finish(const Names& names, const ClockMap& clock, uint64_t last_counter, const ProbeCosts& costs,
              Functions& functions, Profile& profile);

  // Some calls of a thread in order, which are too many to come one by one.
  void add(uint32_t thread, std::span<const log::Call> calls);

  // What threads did since is not known: as gap(), of all of them.
  void lose_all() { ++holes_; }

  // Calls and allocations that are passed over: all before the range, or all after it.
  void pass_over(const log::PassedCalls& passed);
  void pass_over(uint32_t thread, const log::PassedStack& passed);

  void enter(const Incoming& told);
  void leave(const Incoming& told);
  void allocate(const Incoming& told);
  void take_segment(const Incoming& told);
  void gap(const Incoming& told);
  void end_thread(const Incoming& told);
  static constexpr Taking<Calls> kTakes[] = {
      {oriel_event_method_enter, &Calls::enter},     {oriel_event_method_leave, &Calls::leave},
      {oriel_event_method_tail_call, &Calls::leave}, {oriel_event_method_exception_leave, &Calls::leave},
      {oriel_event_gc_allocation, &Calls::allocate}, {log::Event::kSegment, &Calls::take_segment},
      {log::Event::kCallsLost, &Calls::gap},         {oriel_event_thread_stopped, &Calls::end_thread},
      {log::Event::kThreadEnd, &Calls::end_thread},
  };

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A node of the tree. A thread's root has no parent; a second root is for calls after lost events.
  struct alignas(64) Path {  // one cache line: large trees are bound by cache misses
    uint64_t method = 0;
    uint32_t parent = kNone;
    uint32_t thread = 0;
    // What was entered next when the thread was here before, the path's first child and then the child beside it; and
    // the allocation that was counted here last. They avoid most hash lookups, and say what to fetch into the cache.
    uint32_t first = kNone;
    uint32_t next = kNone;
    uint32_t last_allocation = kNone;
    uint32_t rest = kNone;  // rarely used fields: index into rest_
    bool after_gap = false;
    uint32_t longest_segments = 0;  // of the longest call
    uint64_t calls = 0;
    uint64_t self = 0;
    uint64_t longest = 0;

    uint64_t hash() const { return mix(method, static_cast<uint64_t>(parent == kNone ? ~thread : parent)); }
    bool same(const Path& other) const {
      return method == other.method && parent == other.parent &&
             (parent != kNone || (thread == other.thread && after_gap == other.after_gap));
    }
  };
  struct Rest {
    uint64_t by_exception = 0;
    uint64_t running = 0;
    OwnSegments own;  // complete after finish()
  };
  struct Allocation {
    uint64_t klass = 0;
    uint64_t site = 0;
    uint32_t path = 0;
    uint32_t stack = 0;
    uint64_t objects = 0;
    uint64_t bytes = 0;

    uint64_t hash() const { return mix(klass ^ site << 24, uint64_t{stack} << 32 | path); }
    bool same(const Allocation& other) const {
      return klass == other.klass && site == other.site && path == other.path && stack == other.stack;
    }
  };
  struct Frame {
    uint64_t method = 0;
    uint32_t path = kNone;  // kNone as long as nothing counts for it, then also in all frames above
    uint32_t segments = 0;  // the thread's segments at the start, modulo 2^32
    uint64_t start = 0;     // in net_clock()
  };
  struct Stack {
    std::vector<Frame> frames;
    uint32_t thread = 0;
    uint32_t base = kNone;  // the thread's root; kNone as for a frame
    bool is_after_gap = false;
    uint32_t before = kNone;  // the path that was left last below the top one since that was entered
    uint64_t uncounted = 0;   // open calls above `frames`, which is limited
    uint64_t last = 0;        // the counter of the last event
    uint32_t segments = 0;    // call events in the range so far, modulo 2^32
    uint64_t taken = 0;       // measured costs of logging so far, and
    uint64_t taken_of = 0;    // those in the segment that started at
    uint64_t taken_at = 0;    // this counter
    uint64_t ended = 0;       // when the thread ended; 0 if not known
    uint64_t holes = 0;       // those of the log that were taken into account
  };

  Stack& stack_of(uint32_t thread) {
    if (thread >= stacks_.size()) stacks_.resize(thread + 1);
    Stack& stack = stacks_[thread];
    stack.thread = thread;
    if (stack.holes != holes_) pass_holes(stack);
    return stack;
  }
  void pass_holes(Stack& stack);
  void enter(Stack& stack, uint64_t counter, uint64_t method);
  void leave(Stack& stack, uint64_t counter, uint64_t method, bool thrown);
  // The path of the call on top, which is added with those of its callers if it is not kept yet.
  uint32_t top(Stack& stack) {
    const uint32_t path = stack.frames.empty() ? stack.base : stack.frames.back().path;
    return path != kNone ? path : add_paths(stack);
  }
  uint32_t add_paths(Stack& stack);
  uint64_t in_range(uint64_t counter) const { return counter < from_ ? from_ : counter > to_ ? to_ : counter; }
  bool counts(uint64_t counter) const { return counter >= from_ && counter <= to_; }
  // The thread's clock without measured costs of logging.
  static uint64_t net_clock(const Stack& stack) { return stack.last - stack.taken; }
  void pass_time(Stack& stack, uint64_t counter);
  void pass_long(Stack& stack, uint64_t spent);
  Rest& rest_of(uint32_t path);
  uint32_t child(Stack& stack, uint64_t method);
  uint32_t child_of(uint32_t parent, uint64_t method);
  void fetch_ahead(const Path& path) const;
  bool has_room(const Stack& stack) const;
  void fold(Stack& stack);
  void push(Stack& stack, uint64_t method, uint32_t path);
  void pop(Stack& stack);
  void close(Stack& stack, size_t depth);
  void close_all_after_gap(Stack& stack);
  void close_open_calls(uint64_t last_counter);
  std::vector<OwnSegments> own_segments() const;
  std::vector<uint32_t> add_nodes(const Names& names, double rate, const ProbeCosts& costs, Functions& functions,
                                  Profile& profile) const;
  void set_longest(const std::vector<OwnSegments>& own, const std::vector<uint32_t>& node_of, double rate,
                   Profile& profile) const;
  void add_allocations(const std::vector<uint32_t>& nodes, const Names& names, Functions& functions,
                       Profile& profile) const;

  HashedRows<Path> paths_;
  std::vector<Rest> rest_;
  HashedRows<Allocation> allocations_;
  std::vector<Stack> stacks_;  // by thread
  uint64_t holes_ = 0;         // in the log so far
  uint64_t open_ = 0;          // total number of frames of all stacks
  uint64_t first_counter_ = UINT64_MAX;
  uint64_t from_ = 0;
  uint64_t to_ = UINT64_MAX;
  CallTotal total_;
};

}  // namespace oriel::profile
