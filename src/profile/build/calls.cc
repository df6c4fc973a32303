#include "profile/build/calls.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "log/call_stack.h"
#include "profile/build/memory/allocation_stacks.h"
#include "profile/build/pieces.h"
#include "profile/build/threads.h"

namespace oriel::profile {
namespace {

using log::Event;

// Limits of what is kept. No program comes near them, but a corrupt log could claim anything.
constexpr uint32_t kMostPaths = 1u << 24;
constexpr uint64_t kMostOpen = 1u << 24;
constexpr uint64_t kMostTaken = uint64_t{1} << 50;

// Nanoseconds per count over the whole log: a short distance between clock pairs is too coarse for timing single calls.
double ns_a_count(const ClockMap& clock, uint64_t first, uint64_t last) {
  return last > first ? static_cast<double>(clock.ns(last) - clock.ns(first)) / static_cast<double>(last - first) : 1;
}

}  // namespace

void Calls::limit(uint64_t from, uint64_t to) {
  from_ = from;
  to_ = std::max(from, to);
}

// What has no room counts with its caller.
uint32_t Calls::add_paths(Stack& stack) {
  if (stack.base == kNone) {
    Path root;
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
  const uint64_t now = in_range(counter);
  if (now <= stack.last) return;  // counters never go back in a valid log
  const uint64_t spent = now - stack.last;
  if (!stack.frames.empty()) {
    paths_[top(stack)].self += spent;
    if (spent > kLongSegment) pass_long(stack, spent);
  }
  stack.last = now;
}

void Calls::pass_long(Stack& stack, uint64_t spent) {
  const uint64_t taken = stack.taken_at == stack.last ? std::min(stack.taken_of, spent) : 0;
  if (spent - taken <= kLongSegment) return;
  OwnSegments& own = rest_of(top(stack)).own;
  own.longs += 1;
  own.long_ticks += spent - taken;
}

Calls::Rest& Calls::rest_of(uint32_t path) {
  uint32_t& at = paths_[path].rest;
  if (at == kNone) {
    at = static_cast<uint32_t>(rest_.size());
    rest_.emplace_back();
  }
  return rest_[at];
}

// Takes data about the segment that ends with the next event of a call.
void Calls::take_segment(const Incoming& told) {
  const Event& event = told.event;
  Stack& stack = stack_of(told.thread);
  if (stack.frames.empty() || !counts(event.counter)) return;
  const auto [timed, waited_ns, taken] = std::tie(event.values[0], event.values[1], event.values[2]);
  OwnSegments& own = rest_of(top(stack)).own;
  if (timed != 0 && timed <= kLongSegment) {
    own.timed += 1;
    own.timed_ticks += timed;
  }
  own.waited_ns += waited_ns;
  if (taken == 0 || taken > kMostTaken) return;
  own.taken += taken;
  stack.taken += taken;
  stack.taken_of = taken;
  stack.taken_at = stack.last;
}

uint32_t Calls::child_of(uint32_t parent, uint64_t method) {
  const uint32_t found = paths_.find(mix(method, parent), [method, parent](const Path& path) {
    return path.method == method && path.parent == parent;
  });
  if (found != kNone || paths_.size() >= kMostPaths) return found;
  Path path;
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
inline void Calls::fetch_ahead(const Path& path) const {
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
  Stack& stack = stack_of(thread);
  for (const log::Call& call : calls) {
    if (call.number == oriel_event_method_enter) {
      enter(stack, call.counter, call.method);
    } else {
      leave(stack, call.counter, call.method, call.number == oriel_event_method_exception_leave);
    }
  }
}

void Calls::enter(const Incoming& told) { enter(stack_of(told.thread), told.event.counter, told.event.values[0]); }

void Calls::leave(const Incoming& told) {
  const Event& event = told.event;
  leave(stack_of(told.thread), event.counter, event.values[0], event.number == oriel_event_method_exception_leave);
}

void Calls::allocate(const Incoming& told) {
  const Event& event = told.event;
  ++total_.allocated;
  if (!counts(event.counter)) return;
  const uint32_t path = top(stack_of(told.thread));
  Allocation key;
  key.klass = event.values[0];
  key.site = event.values[3];
  key.path = path;
  key.stack = told.stack;
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
void Calls::gap(const Incoming& told) {
  Stack& stack = stack_of(told.thread);
  ++total_.gaps;
  total_.lost_events += told.event.values[0];
  pass_time(stack, told.event.counter);
  total_.without_leave += stack.frames.size() + stack.uncounted;
  close_all_after_gap(stack);
}

void Calls::close_all_after_gap(Stack& stack) {
  close(stack, 0);
  stack.uncounted = 0;
  stack.is_after_gap = true;
  stack.base = stack.before = kNone;
}

// A thread that was not there before begins as any other.
void Calls::pass_holes(Stack& stack) {
  stack.holes = holes_;
  if (stack.last == 0) return;
  ++total_.gaps;
  total_.without_leave += stack.frames.size() + stack.uncounted;
  close_all_after_gap(stack);
}

void Calls::pass_over(const log::PassedCalls& passed) {
  total_.enters += passed.enters;
  first_counter_ = std::min(first_counter_, passed.first_enter);
  total_.without_enter += passed.without_enter;
  total_.without_leave += passed.without_leave;
  total_.gaps += passed.gaps;
  total_.lost_events += passed.lost_events;
  total_.allocated += passed.allocated;
}

void Calls::pass_over(uint32_t thread, const log::PassedStack& passed) {
  Stack& stack = stack_of(thread);
  pass_time(stack, passed.counter);
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
}

// The thread has ended, so its open calls do not last until the log's end.
void Calls::end_thread(const Incoming& told) {
  const uint32_t thread = told.threads.index(told.event.values[0]);
  if (thread >= stacks_.size()) stacks_.resize(thread + 1);
  stacks_[thread].ended = told.event.counter;
}

// Calls that are still running end with the log, or with their thread.
void Calls::close_open_calls(uint64_t last_counter) {
  for (Stack& stack : stacks_) {
    if (stack.holes != holes_) pass_holes(stack);
    if (stack.frames.empty()) continue;
    const bool ended = stack.ended != 0 && in_range(stack.ended) >= stack.last;
    const uint64_t counter = ended ? stack.ended : last_counter;
    pass_time(stack, counter);
    if (ended) {
      total_.without_leave += stack.frames.size();
    } else {
      for (const Frame& frame : stack.frames)
        if (frame.path != kNone) ++rest_of(frame.path).running;
    }
    close(stack, 0);
  }
}

// By path; a caller's path precedes its callees'. Each call, and each return to the caller, begins a segment.
std::vector<OwnSegments> Calls::own_segments() const {
  std::vector<OwnSegments> result(paths_.size());
  for (uint32_t i = 0; i < paths_.size(); ++i) {
    const Path& path = paths_[i];
    OwnSegments& own = result[i];
    if (path.rest != kNone) own = rest_[path.rest].own;
    own.taken = std::min(own.taken, path.self);
    own.ticks = path.self - own.taken;
    own.all = path.calls;
    if (path.parent != kNone) result[path.parent].all += path.calls;
  }
  for (uint32_t i = 0; i < allocations_.size(); ++i)
    result[allocations_[i].path].allocations += allocations_[i].objects;
  return result;
}

// Returns each path's node; 0 for a thread's root.
std::vector<uint32_t> Calls::add_nodes(const Names& names, double rate, const ProbeCosts& costs, Functions& functions,
                                       Profile& profile) const {
  profile.call_nodes.reserve(paths_.size() + 1);
  profile.call_figures.reserve(paths_.size() + 1);
  profile.call_nodes.resize(1);
  profile.call_figures.resize(1);
  const std::vector<OwnSegments> own = own_segments();
  IdMap<OwnSegments> of_methods;
  for (uint32_t i = 0; i < paths_.size(); ++i)
    if (paths_[i].parent != kNone) of_methods.at(paths_[i].method).add(own[i]);
  std::vector<uint32_t> node_of(paths_.size());
  std::vector<bool> pieces(1);  // by node
  IdMap<CalledMethod> methods;
  for (uint32_t i = 0; i < paths_.size(); ++i) {
    const Path& path = paths_[i];
    if (path.parent == kNone) continue;
    bool made = false;
    CalledMethod& method = methods.at(path.method, &made);
    if (made) method = called_method(path.method, names, functions);
    node_of[i] = static_cast<uint32_t>(profile.call_nodes.size());
    profile.call_nodes.push_back({node_of[path.parent], method.function, paths_[path.parent].after_gap});
    pieces.push_back(method.is_move_next);
    CallFigures figures;
    figures.thread = path.thread;
    figures.calls = path.calls;
    figures.by_exception = path.rest != kNone ? rest_[path.rest].by_exception : 0;
    figures.running = path.rest != kNone ? rest_[path.rest].running : 0;
    set_own_times(own[i], of_methods.at(path.method), costs, rate, figures);
    profile.call_figures.push_back(figures);
  }
  set_longest(own, node_of, rate, profile);
  renumber(merge_move_next(pieces, profile), node_of);
  return node_of;
}

// Assumes that probes take as long in a single call as in its node's calls on average.
void Calls::set_longest(const std::vector<OwnSegments>& own, const std::vector<uint32_t>& node_of, double rate,
                        Profile& profile) const {
  struct Sums {
    double segments = 0;
    double probes_ns = 0;
  };
  std::vector<Sums> with_callees(paths_.size());
  for (uint32_t i = paths_.size(); i-- > 0;) {
    const Path& path = paths_[i];
    if (path.parent == kNone) continue;
    CallFigures& figures = profile.call_figures[node_of[i]];
    Sums& sums = with_callees[i];
    sums.segments += static_cast<double>(own[i].all);
    sums.probes_ns += static_cast<double>(own[i].ticks) * rate - static_cast<double>(figures.self_ns);
    with_callees[path.parent].segments += sums.segments;
    with_callees[path.parent].probes_ns += sums.probes_ns;
    const double longest = static_cast<double>(path.longest) * rate;
    const double probes = sums.segments > 0 ? sums.probes_ns / sums.segments * path.longest_segments : 0;
    figures.measured_longest_ns = std::llround(longest);
    figures.longest_ns = std::llround(std::clamp(longest - probes, 0.0, 2 * longest));
  }
}

void Calls::add_allocations(const std::vector<uint32_t>& nodes, const Names& names, Functions& functions,
                            Profile& profile) const {
  IdMap<uint32_t> types;
  IdMap<uint32_t> sites;
  AllocationStacks stacks(profile);
  for (uint32_t i = 0; i < allocations_.size(); ++i) {
    const Allocation& from = allocations_[i];
    bool made = false;
    uint32_t& type = types.at(from.klass, &made);
    if (made) type = functions.add(names.type(from.klass));
    uint32_t site = 0;
    if (from.site != 0) {
      uint32_t& known = sites.at(from.site, &made);
      if (made) known = functions.add(names.method(from.site));
      site = known;
    }
    // A stack has all callers; logged calls have only chosen methods.
    const uint32_t node = from.stack != 0 ? stacks.in_calls(from.stack) : nodes[from.path];
    if (from.stack != 0 && site == 0) site = stacks.site_of(from.stack);
    profile.allocations.push_back({paths_[from.path].thread, node, type, site, from.objects, from.bytes, 0});
  }
}

void Calls::finish(const Names& names, const ClockMap& clock, uint64_t last_counter, const ProbeCosts& costs,
                   Functions& functions, Profile& profile) {
  close_open_calls(last_counter);
  double self = 0;
  for (uint32_t i = 0; i < paths_.size(); ++i) self += static_cast<double>(paths_[i].self);
  const double rate = sound_rate(ns_a_count(clock, std::min(first_counter_, last_counter), last_counter), self);
  const std::vector<uint32_t> nodes = add_nodes(names, rate, costs, functions, profile);
  add_allocations(nodes, names, functions, profile);
  profile.call_totals = {total_};
}

}  // namespace oriel::profile
