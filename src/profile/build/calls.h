// Sums calls and allocations, and keeps no events.
//
// Each thread has a stack of open calls; the call paths form a tree. The time between two events of a thread counts as
// self time of the method on top of its stack, so inclusive times are sums over subtrees. Unpaired events are counted:
// leaves without enter, and enters without leave.
//
// Of a range of time only paths are kept that were open in it. Of other calls only the stacks are followed, so that
// what an index tells of them (log/sample_index.h) makes the same profile as they themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "log/event.h"
#include "log/sample_index.h"
#include "profile/build/probe_costs.h"
#include "profile/hashed_rows.h"
#include "profile/profile.h"

namespace oriel::profile {

// A node of the tree. A thread's root has no parent; a second root is for calls after lost events.
struct alignas(64) CallPath {  // one cache line: large trees are bound by cache misses
  static constexpr uint32_t kNone = UINT32_MAX;

  uint64_t method = 0;
  uint32_t parent = kNone;
  uint32_t thread = 0;
  // What was entered next when the thread was here before, the path's first child and then the child beside it; and
  // the allocation that was counted here last. They avoid most hash lookups, and say what to fetch into the cache.
  uint32_t first = kNone;
  uint32_t next = kNone;
  uint32_t last_allocation = kNone;
  uint32_t rest = kNone;  // rarely used fields: index into Calls::rest()
  bool after_gap = false;
  uint32_t longest_segments = 0;  // of the longest call
  uint64_t calls = 0;
  uint64_t self = 0;
  uint64_t longest = 0;

  uint64_t hash() const { return mix(method, static_cast<uint64_t>(parent == kNone ? ~thread : parent)); }
  bool same(const CallPath& other) const {
    return method == other.method && parent == other.parent &&
           (parent != kNone || (thread == other.thread && after_gap == other.after_gap));
  }
};

struct RestOfPath {
  uint64_t by_exception = 0;
  uint64_t running = 0;
  OwnSegments own;  // `all`, `ticks` and `allocations` follow from the paths
};

// Marks the index of a node among ids, which are smaller.
inline constexpr uint64_t kIsNode = uint64_t{1} << 63;

struct PathAllocations {
  uint64_t klass = 0;
  uint64_t site = 0;
  uint64_t stack = 0;  // its leaf node: until Calls::set_stacks() its id, or kIsNode and its index; 0: not known
  uint32_t path = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;

  uint64_t hash() const { return mix(klass ^ site << 24, stack << 32 ^ stack >> 32 ^ path); }
  bool same(const PathAllocations& other) const {
    return klass == other.klass && site == other.site && path == other.path && stack == other.stack;
  }
};

// The threads are dealt out to so many lanes, by their indexes (call_lanes.h).
inline constexpr uint32_t kCallLanes = 4;

// The calls of a lane's threads, which are indexes into the profile's threads.
class Calls {
 public:
  explicit Calls(const log::CounterRange& range) : from_(range.from), to_(range.to) {}

  // Some calls of a thread, in order.
  void add(uint32_t thread, std::span<const log::Call> calls);
  // An event of calls or allocations: an enter, a leave, an allocation, a segment, or that calls were lost. An
  // allocation's stack is as in PathAllocations.
  void add(uint32_t thread, const log::Event& event);
  // What threads did since is not known; or what one did.
  void lose_all() { ++holes_; }
  void lose(uint32_t thread);
  // Calls that are all before the range, or all after it.
  void pass_over(uint32_t thread, const log::PassedStack& passed);
  // Closes the open calls at `last_counter`, where the log ends, or where their thread has ended: `ended_at` is by
  // thread, 0 or missing where that is not known. No further ones may come.
  void close_open_calls(uint64_t last_counter, std::span<const uint64_t> ended_at);

  // A caller's path precedes its callees'.
  const HashedRows<CallPath>& paths() const { return paths_; }
  const std::vector<RestOfPath>& rest() const { return rest_; }
  const HashedRows<PathAllocations>& allocations() const { return allocations_; }
  // Turns the ids of allocations' stacks into what `node_of` returns of them: indexes. No further allocations may come.
  void set_stacks(const std::function<uint32_t(uint64_t)>& node_of);
  const CallTotal& total() const { return total_; }
  uint64_t first_counter() const { return first_counter_; }  // of all enters; UINT64_MAX if there are none
  // Tells `see` each thread, and the first and the last counter of what was added of it.
  template <typename See>
  void each_thread(const See& see) const {
    for (const Stack& stack : stacks_)
      if (stack.seen.from <= stack.seen.to) see(stack.thread, stack.seen);
  }

 private:
  static constexpr uint32_t kNone = CallPath::kNone;

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
    uint64_t since = 0;       // the counter of the last event, which may be out of the range
    uint64_t waited_ns = 0;   // since then
    uint64_t holes = 0;       // those of the log that were taken into account
    log::CounterRange seen = {UINT64_MAX, 0};
  };

  Stack& stack_of(uint32_t thread);
  void pass_holes(Stack& stack);
  static void see(Stack& stack, uint64_t counter) {
    stack.seen = {std::min(stack.seen.from, counter), std::max(stack.seen.to, counter)};
  }
  void enter(Stack& stack, uint64_t counter, uint64_t method);
  void leave(Stack& stack, uint64_t counter, uint64_t method, bool thrown);
  void allocate(Stack& stack, const log::Event& event);
  void take_segment(Stack& stack, const log::Event& event);
  void gap(Stack& stack);
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
  void pass_waited(Stack& stack, uint64_t counter);
  void pass_long(Stack& stack, uint64_t spent);
  RestOfPath& rest_of(uint32_t path);
  uint32_t child(Stack& stack, uint64_t method);
  uint32_t child_of(uint32_t parent, uint64_t method);
  void fetch_ahead(const CallPath& path) const;
  bool has_room(const Stack& stack) const;
  void fold(Stack& stack);
  void push(Stack& stack, uint64_t method, uint32_t path);
  void pop(Stack& stack);
  void close(Stack& stack, size_t depth);
  void close_all_after_gap(Stack& stack);

  HashedRows<CallPath> paths_;
  std::vector<RestOfPath> rest_;
  HashedRows<PathAllocations> allocations_;
  std::vector<Stack> stacks_;  // by thread / kCallLanes
  uint64_t holes_ = 0;         // in the log so far
  uint64_t open_ = 0;          // total number of frames of all stacks
  uint64_t first_counter_ = UINT64_MAX;
  uint64_t from_;
  uint64_t to_;
  CallTotal total_;
};

}  // namespace oriel::profile
