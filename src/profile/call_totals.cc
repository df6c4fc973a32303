#include "profile/call_totals.h"

#include <algorithm>
#include <map>

#include "profile/sample_tree.h"

namespace oriel::profile {
namespace {

// By node: its time with what it calls.
std::vector<int64_t> inclusive_times(const CallLog& calls) {
  std::vector<int64_t> total(calls.nodes.size());
  for (size_t i = total.size(); i-- > 1;) {
    total[i] += calls.figures[i].self_ns;
    total[calls.nodes[i].parent] += total[i];
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

void add(const Allocations& from, AllocationTotals& to) {
  to.objects += from.objects;
  to.bytes += from.bytes;
  to.samples += from.samples;
}

}  // namespace

std::vector<MethodCalls> method_calls(const Profile& profile) {
  const CallLog& calls = profile.calls;
  const std::vector<int64_t> inclusive = inclusive_times(calls);
  const std::vector<bool> outermost = outermost_nodes(calls.nodes, profile.functions.size());
  std::vector<MethodCalls> methods(profile.functions.size());
  std::vector<double> all_calls(profile.functions.size());  // the time of every call: recursion counts each time
  for (size_t i = 1; i < calls.nodes.size(); ++i) {
    const CallFigures& figures = calls.figures[i];
    MethodCalls& method = methods[calls.nodes[i].function];
    method.calls += figures.calls;
    method.by_exception += figures.by_exception;
    method.running += figures.running;
    method.self_ns += figures.self_ns;
    method.longest_ns = std::max(method.longest_ns, figures.longest_ns);
    if (outermost[i]) method.total_ns += inclusive[i];
    all_calls[calls.nodes[i].function] += static_cast<double>(inclusive[i]);
  }
  for (uint32_t i = 0; i < methods.size(); ++i) {
    methods[i].function = i;
    if (methods[i].calls == 0) continue;
    // Where only a time range counts, calls that began before it have time there and no count.
    const double average = all_calls[i] / static_cast<double>(methods[i].calls);
    const double longest = calls.aggregated ? average : static_cast<double>(methods[i].longest_ns);
    methods[i].average_ns = static_cast<int64_t>(std::min(average, longest));
  }
  std::erase_if(methods, [](const MethodCalls& method) { return method.calls == 0 && method.total_ns == 0; });
  std::stable_sort(methods.begin(), methods.end(), [](const MethodCalls& a, const MethodCalls& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.total_ns > b.total_ns;
  });
  return methods;
}

std::vector<AllocationTotals> allocations_by_type(const Profile& profile) {
  std::map<uint64_t, AllocationTotals> totals;
  for (const Allocations& entry : profile.calls.allocations) {
    AllocationTotals& total = totals[entry.type];
    total.type = entry.type;
    add(entry, total);
  }
  return sorted(totals);
}

std::vector<AllocationTotals> allocations_by_site(const Profile& profile) {
  std::map<uint64_t, AllocationTotals> totals;
  for (const Allocations& entry : profile.calls.allocations) {
    AllocationTotals& total = totals[static_cast<uint64_t>(entry.site) << 32 | entry.type];
    total.type = entry.type;
    total.site = entry.site;
    add(entry, total);
  }
  return sorted(totals);
}

CallSums sum_calls(const Profile& profile) {
  CallSums sums;
  for (const CallFigures& figures : profile.calls.figures) {
    sums.calls += figures.calls;
    sums.self_ns += figures.self_ns;
    sums.running += figures.running;
  }
  for (const Allocations& entry : profile.calls.allocations) {
    sums.objects += entry.objects;
    sums.bytes += entry.bytes;
    sums.allocation_samples += entry.samples;
  }
  return sums;
}

}  // namespace oriel::profile
