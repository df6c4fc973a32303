#include "profile/build/call_graphs.h"

#include <algorithm>
#include <cmath>

#include "profile/build/pieces.h"

namespace oriel::profile {
namespace {

constexpr size_t kMostGraphRows = 1u << 26;  // more than a program has; a corrupt log could claim any number

}  // namespace

void CallGraphs::begin(uint32_t thread, const log::CallGraph& graph) {
  keep_ = graph.dump != 0 && graph.dump >= dump_;
  if (!keep_) return;
  if (graph.dump > dump_) {
    dump_ = graph.dump;
    rows_.assign(1, {});
    objects_.clear();
    entries_.clear();
    total_ = {};
  }
  thread_ = thread;
  base_ = static_cast<uint32_t>(rows_.size() - 1);
  last_counter_ = std::max(last_counter_, graph.counter);
  total_.without_leave += graph.frames_closed;
  total_.without_enter += graph.leaves_ignored;
  total_.folded += graph.allocations_lost;
}

void CallGraphs::add(const log::CallNode& node) {
  if (!keep_ || rows_.size() >= kMostGraphRows) return;
  const auto parent = node.parent == 0 ? 0 : base_ + static_cast<uint32_t>(node.parent);
  if (parent >= rows_.size()) return;
  const auto row = static_cast<uint32_t>(rows_.size());
  rows_.push_back({thread_, parent, node.running, node.method, node.calls, node.exceptions, node.ticks, {}});
  total_.enters += node.calls + node.folded;
  total_.folded += node.folded;
  for (const log::CallAllocation& allocation : node.allocations) {
    objects_.push_back({row, allocation});
    total_.allocated += allocation.objects;
    rows_[row].own.allocations += allocation.objects;
  }
}

void CallGraphs::add(const log::CallTiming& timing) {
  const uint64_t row = base_ + timing.node;
  if (!keep_ || timing.node == 0 || row >= rows_.size()) return;
  OwnSegments& own = rows_[row].own;
  own.timed = timing.timed;
  own.timed_ticks = timing.timed_ticks;
  own.longs = timing.longs;
  own.long_ticks = timing.long_ticks;
  own.waited_ns = timing.waited_ns;
}

void CallGraphs::add(const log::CallEntries& entries) {
  const uint64_t row = base_ + entries.node;
  if (keep_ && entries.node != 0 && row < rows_.size()) entries_.push_back({static_cast<uint32_t>(row), entries});
}

// Callees follow their callers. The caller's time may lack a call that ended while the tree was read. Each call, and
// each return to the caller, begins a segment.
void CallGraphs::find_own_segments() {
  std::vector<uint64_t> of_callees(rows_.size());
  for (size_t i = rows_.size(); i-- > 1;) {
    Row& row = rows_[i];
    of_callees[row.parent] += row.ticks;
    row.own.ticks = row.ticks - std::min(row.ticks, of_callees[i]);
    row.own.all += row.calls;
    rows_[row.parent].own.all += row.calls;
  }
}

double CallGraphs::ns_a_tick(const ClockMap& clock, uint64_t start) const {
  if (last_counter_ <= start) return 1;
  double all = 0;
  for (const Row& row : rows_) all += static_cast<double>(row.own.ticks);
  for (const Entries& entries : entries_) all += static_cast<double>(entries.of.self_ticks);
  return sound_rate(clock.ns_a_count(start, last_counter_), all);
}

// Returns each row's node; 0 for code outside of any method.
std::vector<uint32_t> CallGraphs::add_nodes(const Names& names, double rate, const ProbeCosts& costs,
                                            Functions& functions, Profile& profile) const {
  std::vector<uint32_t> node_of(rows_.size());
  IdMap<OwnSegments> of_methods;
  for (const Row& row : rows_) of_methods.at(row.method).add(row.own);
  std::vector<bool> pieces(1);  // by node
  IdMap<CalledMethod> methods;
  for (size_t i = 1; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    node_of[i] = node_of[row.parent];
    if (row.method == 0) continue;
    bool made = false;
    CalledMethod& method = methods.at(row.method, &made);
    if (made) method = called_method(row.method, names, functions);
    profile.call_nodes.push_back({node_of[row.parent], method.function, false});
    pieces.push_back(method.is_move_next);
    CallFigures figures;
    figures.thread = row.thread;
    figures.calls = row.calls;
    figures.by_exception = row.exceptions;
    figures.running = row.running ? 1 : 0;
    set_own_times(row.own, of_methods.at(row.method), costs, rate, figures);
    profile.call_figures.push_back(figures);
    node_of[i] = static_cast<uint32_t>(profile.call_nodes.size() - 1);
  }
  renumber(merge_move_next(pieces, profile), node_of);
  return node_of;
}

// The site is the node's method, which includes callees that are not counted.
void CallGraphs::add_allocations(const std::vector<uint32_t>& nodes, const Names& names, Functions& functions,
                                 Profile& profile) const {
  IdMap<uint32_t> types;
  for (const Objects& from : objects_) {
    bool made = false;
    uint32_t& type = types.at(from.of.klass, &made);
    if (made) type = functions.add(names.type(from.of.klass));
    const uint32_t node = nodes[from.row];
    const uint32_t site = node == 0 ? 0 : profile.call_nodes[node].function;
    profile.allocations.push_back({rows_[from.row].thread, node, type, site, from.of.objects, from.of.bytes});
  }
}

// The time of a node's own code is what the file says, so that what measuring took is the difference to the measured.
void CallGraphs::add_entries(const std::vector<uint32_t>& nodes, double rate, Profile& profile) const {
  for (const Entries& from : entries_) {
    const uint32_t node = nodes[from.row];
    const Row& row = rows_[from.row];
    if (node == 0 || row.method == 0) continue;
    profile.call_figures[node].self_ns = std::llround(rate * static_cast<double>(from.of.self_ticks));
    profile.code_entries.push_back({row.thread, node, row.calls, from.of.specialized, from.of.compiled, from.of.inlined,
                                    from.of.replaced, from.of.deoptimized, from.of.deoptimized_all});
  }
}

void CallGraphs::finish(const Names& names, const ClockMap& clock, uint64_t start, const ProbeCosts& costs,
                        Functions& functions, Profile& profile) {
  find_own_segments();
  total_.aggregated = true;
  profile.call_nodes.reserve(rows_.size() + 1);
  profile.call_figures.reserve(rows_.size() + 1);
  profile.call_nodes.assign(1, {});
  profile.call_figures.assign(1, {});
  profile.allocations.clear();
  const double rate = ns_a_tick(clock, start);
  const std::vector<uint32_t> nodes = add_nodes(names, rate, costs, functions, profile);
  add_allocations(nodes, names, functions, profile);
  add_entries(nodes, rate, profile);
  profile.call_totals = {total_};
}

}  // namespace oriel::profile
