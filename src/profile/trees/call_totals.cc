#include "profile/trees/call_totals.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "profile/trees/sample_tree.h"
#include "profile/waiting/async.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

// By node: a time of its own with that of what it calls.
std::vector<int64_t> inclusive_times(const Profile& profile, int64_t CallFigures::*own) {
  std::vector<int64_t> total(profile.call_nodes.size());
  for (size_t i = total.size(); i-- > 1;) {
    total[i] += profile.call_figures[i].*own;
    total[profile.call_nodes[i].parent] += total[i];
  }
  return total;
}

std::vector<AllocationTotals> sorted(const std::map<uint64_t, AllocationTotals>& totals) {
  std::vector<AllocationTotals> result;
  for (const auto& [key, entry] : totals) result.push_back(entry);
  std::stable_sort(result.begin(), result.end(), [](const AllocationTotals& a, const AllocationTotals& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.objects > b.objects;
  });
  return result;
}

// With probe costs, so that no average exceeds the longest call.
struct Measured {
  int64_t total_ns = 0;
  int64_t longest_ns = 0;
};

void set_average(const Measured& measured, bool longest_known, MethodCalls& method) {
  if (method.outermost == 0) return;
  const auto calls = static_cast<double>(method.outermost);
  const bool of_others = static_cast<double>(measured.total_ns) / calls > static_cast<double>(measured.longest_ns) + 2;
  if (longest_known && of_others) return;
  method.average_ns = std::llround(static_cast<double>(method.total_ns) / calls);
  if (longest_known) method.longest_ns = std::max(method.longest_ns, *method.average_ns);
}

void add(const Allocations& from, AllocationTotals& to) {
  to.objects += from.objects;
  to.bytes += from.bytes;
  to.samples += from.samples;
}

// An async method's parts are logged as calls: it is entered at each resumption and returns at each await.
void make_whole(const AsyncMethod& async, MethodCalls& method) {
  method.pieces = method.calls;
  method.calls = method.outermost = async.calls;
  method.by_exception = async.failed;
  method.running = async.open;
  method.total_ns = async.ns;
  method.waited_ns = std::max<int64_t>(0, async.ns - async.ran_ns);
  method.recursive = false;
  method.average_ns = async.timed == 0 ? std::nullopt : std::optional(async.average_ns());
  method.longest_ns = async.longest_ns;
}

}  // namespace

std::vector<MethodCalls> method_calls(const Profile& profile) {
  const bool longest_known = !profile.call_total().aggregated;
  const std::vector<int64_t> inclusive = inclusive_times(profile, &CallFigures::self_ns);
  const std::vector<int64_t> measured_inclusive = inclusive_times(profile, &CallFigures::measured_ns);
  const std::vector<int64_t> taken = inclusive_times(profile, &CallFigures::taken_ns);
  const std::vector<int64_t> waited = inclusive_times(profile, &CallFigures::waited_ns);
  const std::vector<bool> outermost = outermost_nodes(profile.call_nodes, profile.functions.size());
  std::vector<MethodCalls> methods(profile.functions.size());
  std::vector<Measured> measured(methods.size());
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    const CallFigures& figures = profile.call_figures[i];
    MethodCalls& method = methods[profile.call_nodes[i].function];
    method.calls += figures.calls;
    method.by_exception += figures.by_exception;
    method.running += figures.running;
    method.self_ns += figures.self_ns;
    method.longest_ns = std::max(method.longest_ns, figures.longest_ns);
    method.measured_self_ns += figures.measured_ns;
    Measured& as_measured = measured[profile.call_nodes[i].function];
    as_measured.longest_ns = std::max(as_measured.longest_ns, figures.measured_longest_ns);
    if (outermost[i]) {
      as_measured.total_ns += measured_inclusive[i] - taken[i];
      method.outermost += figures.calls;
      method.total_ns += inclusive[i];
      method.waited_ns += waited[i];
    }
    method.recursive = method.recursive || (!outermost[i] && figures.calls > 0);
  }
  for (uint32_t i = 0; i < methods.size(); ++i) {
    methods[i].function = i;
    set_average(measured[i], longest_known, methods[i]);
  }
  if (!profile.calls_lack_async) {
    for (const AsyncMethod& async : async_methods(profile))
      if (methods[async.function].calls > 0) make_whole(async, methods[async.function]);
  }
  std::erase_if(methods, [](const MethodCalls& method) { return method.calls == 0 && method.total_ns == 0; });
  std::stable_sort(methods.begin(), methods.end(), [](const MethodCalls& a, const MethodCalls& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.total_ns > b.total_ns;
  });
  return methods;
}

std::vector<AllocationTotals> allocations_by_type(const Profile& profile) {
  std::map<uint64_t, AllocationTotals> totals;
  for (const Allocations& entry : profile.allocations) {
    AllocationTotals& total = totals[entry.type];
    total.type = entry.type;
    add(entry, total);
  }
  return sorted(totals);
}

std::vector<AllocationSite> allocation_sites(const Profile& profile, AttributeTo maker) {
  const std::vector<Node>& nodes = profile.call_nodes;
  const std::vector<uint32_t> nearest =
      maker == AttributeTo::kOwn ? nearest_own_nodes(nodes, profile) : std::vector<uint32_t>(nodes.size());
  std::vector<AllocationSite> sites;
  for (const Allocations& entry : profile.allocations) {
    const bool own = is_own(profile.functions[entry.site], profile);
    const uint32_t caller = own ? 0 : nearest[entry.node];
    if (caller != 0)
      sites.push_back({nodes[caller].function, caller});
    else  // if the site was inlined, the node is its caller
      sites.push_back({entry.site, nodes[entry.node].function == entry.site ? entry.node : 0});
  }
  return sites;
}

std::vector<AllocationTotals> allocations_by_site(const Profile& profile, AttributeTo maker) {
  const std::vector<AllocationSite> sites = allocation_sites(profile, maker);
  std::map<uint64_t, AllocationTotals> totals;
  for (size_t i = 0; i < sites.size(); ++i) {
    const Allocations& entry = profile.allocations[i];
    AllocationTotals& total = totals[static_cast<uint64_t>(sites[i].function) << 32 | entry.type];
    total.type = entry.type;
    total.site = sites[i].function;
    add(entry, total);
  }
  return sorted(totals);
}

CallSums sum_calls(const Profile& profile) {
  CallSums sums;
  for (const CallFigures& figures : profile.call_figures) {
    sums.calls += figures.calls;
    sums.self_ns += figures.self_ns;
    sums.measured_ns += figures.measured_ns;
    sums.waited_ns += figures.waited_ns;
    sums.running += figures.running;
  }
  for (const Allocations& entry : profile.allocations) {
    sums.objects += entry.objects;
    sums.bytes += entry.bytes;
    sums.allocation_samples += entry.samples;
  }
  return sums;
}

}  // namespace oriel::profile
