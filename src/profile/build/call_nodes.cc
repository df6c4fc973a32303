#include "profile/build/call_nodes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "profile/build/memory/allocation_stacks.h"
#include "profile/build/pieces.h"
#include "profile/table/add_up.h"

namespace oriel::profile {
namespace {

// A lane on its way into the profile. All are by path.
struct CountedLane {
  const Calls& calls;
  std::vector<OwnSegments> own;
  std::vector<uint32_t> nodes;  // 0 for a thread's root
};

// Each call, and each return to the caller, begins a segment.
std::vector<OwnSegments> own_segments(const Calls& calls) {
  const auto& paths = calls.paths();
  std::vector<OwnSegments> result(paths.size());
  for (uint32_t i = 0; i < paths.size(); ++i) {
    const CallPath& path = paths[i];
    OwnSegments& own = result[i];
    if (path.rest != CallPath::kNone) own = calls.rest()[path.rest].own;
    own.taken = std::min(own.taken, path.self);
    own.ticks = path.self - own.taken;
    own.all = path.calls;
    if (path.parent != CallPath::kNone) result[path.parent].all += path.calls;
  }
  const auto& allocations = calls.allocations();
  for (uint32_t i = 0; i < allocations.size(); ++i) result[allocations[i].path].allocations += allocations[i].objects;
  return result;
}

class CallNodes {
 public:
  CallNodes(const Names& names, Functions& functions, Profile& profile)
      : names_(names), functions_(functions), profile_(profile) {}

  void add(const Calls* calls) {
    lanes_.push_back({*calls, own_segments(*calls), std::vector<uint32_t>(calls->paths().size())});
    const CountedLane& lane = lanes_.back();
    for (uint32_t i = 0; i < lane.own.size(); ++i)
      if (calls->paths()[i].parent != CallPath::kNone) of_methods_.at(calls->paths()[i].method).add(lane.own[i]);
  }

  void finish(double rate, const ProbeCosts& costs) {
    size_t nodes = 1;
    for (const CountedLane& lane : lanes_) nodes += lane.own.size();
    profile_.call_nodes.reserve(nodes);
    profile_.call_figures.reserve(nodes);
    profile_.call_nodes.resize(1);
    profile_.call_figures.resize(1);
    for (CountedLane& lane : lanes_) add_nodes(lane, rate, costs);
    for (const CountedLane& lane : lanes_) set_longest(lane, rate);
    const std::vector<uint32_t> now = merge_move_next(pieces_, profile_);
    for (CountedLane& lane : lanes_) renumber(now, lane.nodes);
    AllocationStacks stacks(profile_);
    for (const CountedLane& lane : lanes_) add_allocations(lane, stacks);
  }

 private:
  void add_nodes(CountedLane& lane, double rate, const ProbeCosts& costs);
  void set_longest(const CountedLane& lane, double rate);
  void add_allocations(const CountedLane& lane, AllocationStacks& stacks);

  const Names& names_;
  Functions& functions_;
  Profile& profile_;
  std::vector<CountedLane> lanes_;
  IdMap<OwnSegments> of_methods_;
  IdMap<CalledMethod> methods_;
  std::vector<bool> pieces_ = std::vector<bool>(1);  // by node
  IdMap<uint32_t> types_;
  IdMap<uint32_t> sites_;
};

void CallNodes::add_nodes(CountedLane& lane, double rate, const ProbeCosts& costs) {
  const auto& paths = lane.calls.paths();
  for (uint32_t i = 0; i < paths.size(); ++i) {
    const CallPath& path = paths[i];
    if (path.parent == CallPath::kNone) continue;
    bool made = false;
    CalledMethod& method = methods_.at(path.method, &made);
    if (made) method = called_method(path.method, names_, functions_);
    lane.nodes[i] = static_cast<uint32_t>(profile_.call_nodes.size());
    profile_.call_nodes.push_back({lane.nodes[path.parent], method.function, paths[path.parent].after_gap});
    pieces_.push_back(method.is_move_next);
    CallFigures figures;
    figures.thread = path.thread;
    figures.calls = path.calls;
    if (path.rest != CallPath::kNone) {
      figures.by_exception = lane.calls.rest()[path.rest].by_exception;
      figures.running = lane.calls.rest()[path.rest].running;
    }
    set_own_times(lane.own[i], of_methods_.at(path.method), costs, rate, figures);
    profile_.call_figures.push_back(figures);
  }
}

// Assumes that probes take as long in a single call as in its node's calls on average.
void CallNodes::set_longest(const CountedLane& lane, double rate) {
  struct Sums {
    double segments = 0;
    double probes_ns = 0;
  };
  const auto& paths = lane.calls.paths();
  std::vector<Sums> with_callees(paths.size());
  for (uint32_t i = paths.size(); i-- > 0;) {
    const CallPath& path = paths[i];
    if (path.parent == CallPath::kNone) continue;
    CallFigures& figures = profile_.call_figures[lane.nodes[i]];
    Sums& sums = with_callees[i];
    sums.segments += static_cast<double>(lane.own[i].all);
    sums.probes_ns += static_cast<double>(lane.own[i].ticks) * rate - static_cast<double>(figures.self_ns);
    with_callees[path.parent].segments += sums.segments;
    with_callees[path.parent].probes_ns += sums.probes_ns;
    const double longest = static_cast<double>(path.longest) * rate;
    const double probes = sums.segments > 0 ? sums.probes_ns / sums.segments * path.longest_segments : 0;
    figures.measured_longest_ns = std::llround(longest);
    figures.longest_ns = std::llround(std::clamp(longest - probes, 0.0, 2 * longest));
  }
}

void CallNodes::add_allocations(const CountedLane& lane, AllocationStacks& stacks) {
  const auto& allocations = lane.calls.allocations();
  for (uint32_t i = 0; i < allocations.size(); ++i) {
    const PathAllocations& from = allocations[i];
    bool made = false;
    uint32_t& type = types_.at(from.klass, &made);
    if (made) type = functions_.add(names_.type(from.klass));
    uint32_t site = 0;
    if (from.site != 0) {
      uint32_t& known = sites_.at(from.site, &made);
      if (made) known = functions_.add(names_.method(from.site));
      site = known;
    }
    // A stack has all callers; logged calls have only chosen methods.
    const uint32_t node = from.stack != 0 ? stacks.in_calls(static_cast<uint32_t>(from.stack)) : lane.nodes[from.path];
    if (from.stack != 0 && site == 0) site = stacks.site_of(static_cast<uint32_t>(from.stack));
    const uint32_t thread = lane.calls.paths()[from.path].thread;
    profile_.allocations.push_back({thread, node, type, site, from.objects, from.bytes, 0});
  }
}

}  // namespace

void add_logged_calls(const LoggedCalls& calls, const Names& names, const ClockMap& clock, const ProbeCosts& costs,
                      Functions& functions, Profile& profile) {
  CallNodes nodes(names, functions, profile);
  CallTotal total = calls.passed;
  auto [first, last] = calls.counters;
  double self = 0;
  for (const Calls* lane : calls.lanes) {
    nodes.add(lane);
    table::add_counts(lane->total(), total);
    first = std::min(first, lane->first_counter());
    for (uint32_t i = 0; i < lane->paths().size(); ++i) self += static_cast<double>(lane->paths()[i].self);
  }
  nodes.finish(sound_rate(clock.ns_a_count(std::min(first, last), last), self), costs);
  profile.call_totals = {total};
}

}  // namespace oriel::profile
