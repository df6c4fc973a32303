#include "profile/call_totals.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "profile/sample_tree.h"

namespace oriel::profile {
namespace {

// By node: a time of its own with that of what it calls.
std::vector<int64_t> inclusive_times(const CallLog& calls, int64_t CallFigures::*own) {
  std::vector<int64_t> total(calls.nodes.size());
  for (size_t i = total.size(); i-- > 1;) {
    total[i] += calls.figures[i].*own;
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

// The average is at most the longest call, but for the rounding of both.
std::optional<int64_t> average_of(const MethodCalls& method, bool longest_known) {
  if (method.outermost == 0) return std::nullopt;
  const int64_t average = std::llround(static_cast<double>(method.total_ns) / static_cast<double>(method.outermost));
  if (!longest_known || average <= method.longest_ns) return average;
  const bool rounded = average - method.longest_ns <= 1;
  return rounded ? std::optional(method.longest_ns) : std::nullopt;
}

void add(const Allocations& from, AllocationTotals& to) {
  to.objects += from.objects;
  to.bytes += from.bytes;
  to.samples += from.samples;
}

}  // namespace

std::vector<MethodCalls> method_calls(const Profile& profile) {
  const CallLog& calls = profile.calls;
  const std::vector<int64_t> inclusive = inclusive_times(calls, &CallFigures::self_ns);
  const std::vector<int64_t> waited = inclusive_times(calls, &CallFigures::waited_ns);
  const std::vector<bool> outermost = outermost_nodes(calls.nodes, profile.functions.size());
  std::vector<MethodCalls> methods(profile.functions.size());
  for (size_t i = 1; i < calls.nodes.size(); ++i) {
    const CallFigures& figures = calls.figures[i];
    MethodCalls& method = methods[calls.nodes[i].function];
    method.calls += figures.calls;
    method.by_exception += figures.by_exception;
    method.running += figures.running;
    method.self_ns += figures.self_ns;
    method.longest_ns = std::max(method.longest_ns, figures.longest_ns);
    method.measured_self_ns += figures.measured_ns;
    if (outermost[i]) {
      method.outermost += figures.calls;
      method.total_ns += inclusive[i];
      method.waited_ns += waited[i];
    }
    method.recursive = method.recursive || (!outermost[i] && figures.calls > 0);
  }
  for (uint32_t i = 0; i < methods.size(); ++i) {
    methods[i].function = i;
    methods[i].average_ns = average_of(methods[i], !calls.aggregated);
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
    sums.measured_ns += figures.measured_ns;
    sums.waited_ns += figures.waited_ns;
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
