#include "profile/build/calls.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "log/call_stack.h"
#include "oriel/oriel.h"

namespace oriel::profile {
namespace {

using log::Event;

// Limits of what a lane keeps. No program comes near them, but a corrupt log could claim anything.
constexpr uint32_t kMostPaths = 1u << 23;
constexpr uint64_t kMostOpen = 1u << 23;
constexpr uint64_t kMostTaken = uint64_t{1} << 50;

}  // namespace

inline Calls::Stack& Calls::stack_of(uint32_t thread) {
  const size_t at = thread / kCallLanes;
  if (at >= stacks_.size()) stacks_.resize(at + 1);
  Stack& stack = stacks_[at];
  stack.thread = thread;
  if (stack.holes != holes_) pass_holes(stack);
  return stack;
}

// What has no room counts with its caller.
uint32_t Calls::add_paths(Stack& stack) {
  if (stack.base == kNone) {
    CallPath root;
    root.thread = stack.thread;
    root.after_gap = stack.is_after_gap;
    stack.base = paths_.find_or_add(root);
  }
  size_t at = stack.frames.size();
  while (at > 0 && stack.frames[at - 1].path == kNone) --at;
  uint32_t path = at == 0 ? stack.base : stack.frames[at - 1].path;
  for (; at < stack.frames.size(); ++at) {
    const uint32_t its = child_of(path, stack.frames[at].method);
    if (its == kNone) break;
    path = stack.frames[at].path = its;
  }
  const size_t left = stack.frames.size() - at;
  stack.frames.resize(at);
  stack.uncounted += left;
  total_.folded += left;
  open_ -= left;
  return path;
}

// Adds the time since the thread's last event to the top method's own time.
inline void Calls::pass_time(Stack& stack, uint64_t counter) {
  stack.segments += counts(counter) ? 1 : 0;
  if (stack.waited_ns != 0) [[unlikely]]
    pass_waited(stack, counter);
  stack.since = counter;
  const uint64_t now = in_range(counter);
  if (now <= stack.last) return;  // counters never go back in a valid log
  const uint64_t spent = now - stack.last;
  if (!stack.frames.empty()) {
    paths_[top(stack)].self += spent;
    if (spent > kLongSegment) pass_long(stack, spent);
  }
  stack.last = now;
}

// Of a segment that is in the range only in part, its wait counts with that part.
void Calls::pass_waited(Stack& stack, uint64_t counter) {
  const uint64_t waited_ns = std::exchange(stack.waited_ns, 0);
  const uint64_t all = counter - std::min(stack.since, counter), part = in_range(counter) - in_range(stack.since);
  if (stack.frames.empty() || counter <= stack.since || part == 0) return;
  const double share = static_cast<double>(part) / static_cast<double>(all);
  rest_of(top(stack)).own.waited_ns +=
      part == all ? waited_ns : static_cast<uint64_t>(share * static_cast<double>(waited_ns));
}

void Calls::pass_long(Stack& stack, uint64_t spent) {
  const uint64_t taken = stack.taken_at == stack.last ? std::min(stack.taken_of, spent) : 0;
  if (spent - taken <= kLongSegment) return;
  OwnSegments& own = rest_of(top(stack)).own;
  own.longs += 1;
  own.long_ticks += spent - taken;
}

RestOfPath& Calls::rest_of(uint32_t path) {
  uint32_t& at = paths_[path].rest;
  if (at == kNone) {
    at = static_cast<uint32_t>(rest_.size());
    rest_.emplace_back();
  }
  return rest_[at];
}

// Takes data about the segment that ends with the next event of a call.
void Calls::take_segment(Stack& stack, const Event& event) {
  const auto [timed, waited_ns, taken] = std::tie(event.values[0], event.values[1], event.values[2]);
  if (stack.frames.empty()) return;
  stack.waited_ns += waited_ns;
  if (!counts(event.counter)) return;
  OwnSegments& own = rest_of(top(stack)).own;
  if (timed != 0 && timed <= kLongSegment) {
    own.timed += 1;
    own.timed_ticks += timed;
  }
  if (taken == 0 || taken > kMostTaken) return;
  own.taken += taken;
  stack.taken += taken;
  stack.taken_of = taken;
  stack.taken_at = stack.last;
}

uint32_t Calls::child_of(uint32_t parent, uint64_t method) {
  const uint32_t found = paths_.find(mix(method, parent), [method, parent](const CallPath& path) {
    return path.method == method && path.parent == parent;
  });
  if (found != kNone || paths_.size() >= kMostPaths) return found;
  CallPath path;
  path.method = method;
  path.parent = parent;
  path.thread = paths_[parent].thread;
  return paths_.add(path);
}

inline uint32_t Calls::child(Stack& stack, uint64_t method) {
  const uint32_t parent = top(stack);
  const uint32_t guess = stack.before != kNone ? paths_[stack.before].next : paths_[parent].first;
  if (guess != kNone && paths_[guess].method == method) return guess;
  const uint32_t found = child_of(parent, method);
  if (found == kNone) return kNone;
  (stack.before != kNone ? paths_[stack.before].next : paths_[parent].first) = found;
  return found;
}

// A large tree is bound by cache misses: what most likely comes next is fetched ahead.
inline void Calls::fetch_ahead(const CallPath& path) const {
  if (path.first != kNone) __builtin_prefetch(&paths_[path.first]);
  if (path.next != kNone) __builtin_prefetch(&paths_[path.next]);
}

inline bool Calls::has_room(const Stack& stack) const { return stack.uncounted == 0 && open_ < kMostOpen; }

// The call counts with its caller.
inline void Calls::fold(Stack& stack) {
  ++stack.uncounted;
  ++total_.folded;
}

inline void Calls::push(Stack& stack, uint64_t method, uint32_t path) {
  stack.frames.push_back({method, path, stack.segments, net_clock(stack)});
  stack.before = kNone;
  ++open_;
}

inline void Calls::enter(Stack& stack, uint64_t counter, uint64_t method) {
  ++total_.enters;
  if (counter < first_counter_) first_counter_ = counter;
  pass_time(stack, counter);
  if (!has_room(stack)) return fold(stack);
  if (!counts(counter)) return push(stack, method, kNone);
  const uint32_t path = child(stack, method);
  if (path == kNone || !has_room(stack)) return fold(stack);
  ++paths_[path].calls;
  fetch_ahead(paths_[path]);
  push(stack, method, path);
}

// Ends the top call at the stack's last counter.
inline void Calls::pop(Stack& stack) {
  const Frame& frame = stack.frames.back();
  const uint64_t spent = net_clock(stack) - frame.start;
  if (frame.path != kNone && spent > paths_[frame.path].longest && spent <= stack.last) {
    paths_[frame.path].longest = spent;
    paths_[frame.path].longest_segments = stack.segments - frame.segments;
  }
  stack.before = frame.path;
  stack.frames.pop_back();
  --open_;
}

// Ends the calls from `depth` on.
void Calls::close(Stack& stack, size_t depth) {
  while (stack.frames.size() > depth) pop(stack);
}

inline void Calls::leave(Stack& stack, uint64_t counter, uint64_t method, bool thrown) {
  pass_time(stack, counter);
  const bool is_counted = thrown && counts(counter);
  if (is_counted) top(stack);
  if (stack.uncounted != 0) {
    --stack.uncounted;
    return;
  }
  const size_t depth = stack.frames.size();
  const log::LeftCalls left = log::left_calls(depth, method, [&](size_t at) { return stack.frames[at].method; });
  total_.without_enter += left.is_paired ? 0 : 1;
  total_.without_leave += left.without_leave();
  if (is_counted && left.is_paired) ++rest_of(stack.frames[depth - left.ended].path).by_exception;
  close(stack, depth - left.ended);
}

void Calls::add(uint32_t thread, std::span<const log::Call> calls) {
  if (calls.empty()) return;
  Stack& stack = stack_of(thread);
  see(stack, calls.front().counter);
  see(stack, calls.back().counter);
  for (const log::Call& call : calls) {
    if (call.number == oriel_event_method_enter) {
      enter(stack, call.counter, call.method);
    } else {
      leave(stack, call.counter, call.method, call.number == oriel_event_method_exception_leave);
    }
  }
}

void Calls::allocate(Stack& stack, const Event& event) {
  ++total_.allocated;
  if (!counts(event.counter)) return;
  const uint32_t path = top(stack);
  PathAllocations key;
  key.klass = event.values[0];
  key.site = event.values[3];
  key.path = path;
  key.stack = event.stack;
  uint32_t at = paths_[path].last_allocation;
  if (at == kNone || !allocations_[at].same(key)) {
    at = allocations_.find(key);
    if (at == kNone) {
      if (allocations_.size() >= kMostPaths) {
        ++total_.folded;
        return;
      }
      at = allocations_.add(key);
    }
    paths_[path].last_allocation = at;
  }
  ++allocations_[at].objects;
  allocations_[at].bytes += event.values[1];
}

// Events are missing here. Open calls may have ended long ago, and the callers of further ones are unknown.
void Calls::gap(Stack& stack) {
  ++total_.gaps;
  total_.without_leave += stack.frames.size() + stack.uncounted;
  close_all_after_gap(stack);
}

void Calls::close_all_after_gap(Stack& stack) {
  close(stack, 0);
  stack.uncounted = 0;
  stack.is_after_gap = true;
  stack.waited_ns = 0;
  stack.base = stack.before = kNone;
}

// A thread that was not there before begins as any other.
void Calls::pass_holes(Stack& stack) {
  stack.holes = holes_;
  if (stack.last != 0) gap(stack);
}

void Calls::lose(uint32_t thread) { gap(stack_of(thread)); }

void Calls::pass_over(uint32_t thread, const log::PassedStack& passed) {
  Stack& stack = stack_of(thread);
  if (!stack.frames.empty()) stack.waited_ns += passed.waited_ns;
  if (passed.counter != 0) {
    pass_time(stack, passed.counter);
    stack.since = passed.last;
  }
  if (passed.is_after_gap) close_all_after_gap(stack);
  const uint64_t uncounted = std::min(stack.uncounted, passed.ended);
  stack.uncounted -= uncounted;
  close(stack, stack.frames.size() - std::min<uint64_t>(stack.frames.size(), passed.ended - uncounted));
  for (const uint64_t method : passed.opened) {
    if (has_room(stack))
      push(stack, method, kNone);
    else
      fold(stack);
  }
  stack.waited_ns += passed.waiting_ns;
}

void Calls::add(uint32_t thread, const log::Event& event) {
  Stack& stack = stack_of(thread);
  see(stack, event.counter);
  switch (event.number) {
    case oriel_event_method_enter:
      return enter(stack, event.counter, event.values[0]);
    case oriel_event_method_leave:
    case oriel_event_method_tail_call:
      return leave(stack, event.counter, event.values[0], false);
    case oriel_event_method_exception_leave:
      return leave(stack, event.counter, event.values[0], true);
    case oriel_event_gc_allocation:
      return allocate(stack, event);
    case log::Event::kSegment:
      return take_segment(stack, event);
    case log::Event::kCallsLost:
      total_.lost_events += event.values[0];
      pass_time(stack, event.counter);
      return gap(stack);
  }
}

void Calls::set_stacks(const std::function<uint32_t(uint64_t)>& node_of) {
  uint32_t first = 0;  // with a stack; most logs have none
  while (first < allocations_.size() && allocations_[first].stack == 0) ++first;
  if (first == allocations_.size()) return;
  HashedRows<PathAllocations> all;
  for (uint32_t i = 0; i < allocations_.size(); ++i) {
    PathAllocations row = allocations_[i];
    if ((row.stack & kIsNode) != 0)
      row.stack ^= kIsNode;
    else if (row.stack != 0)
      row.stack = node_of(row.stack);
    const uint32_t known = all.find(row);
    if (known == all.kNone) {
      all.add(row);
    } else {  // nodes that the log lacks are one
      all[known].objects += row.objects;
      all[known].bytes += row.bytes;
    }
  }
  std::swap(allocations_, all);
}

// Calls that are still running end with the log, or with their thread.
void Calls::close_open_calls(uint64_t last_counter, std::span<const uint64_t> ended_at) {
  for (Stack& stack : stacks_) {
    if (stack.holes != holes_) pass_holes(stack);
    if (stack.frames.empty()) continue;
    const uint64_t end = stack.thread < ended_at.size() ? ended_at[stack.thread] : 0;
    const bool ended = end != 0 && in_range(end) >= stack.last;
    pass_time(stack, ended ? end : last_counter);
    if (ended) {
      total_.without_leave += stack.frames.size();
    } else {
      for (const Frame& frame : stack.frames)
        if (frame.path != kNone) ++rest_of(frame.path).running;
    }
    close(stack, 0);
  }
}

}  // namespace oriel::profile
