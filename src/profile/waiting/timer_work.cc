#include "profile/waiting/timer_work.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "profile/work/category.h"

namespace oriel::profile {
namespace {

bool serves_timers(const Function& function) {
  return function.managed && (function.name.starts_with("System.Threading.TimerQueueTimer.") ||
                              function.name.starts_with("System.Threading.TimerQueue."));
}

// By node: whether it or one of its callers serves due timers.
std::vector<bool> below_timer(const Profile& profile) {
  std::vector<bool> below(profile.nodes.size());
  for (size_t i = 1; i < below.size(); ++i)
    below[i] = below[profile.nodes[i].parent] || serves_timers(profile.functions[profile.nodes[i].function]);
  return below;
}

}  // namespace

TimerWork timer_work(const Profile& profile) {
  constexpr int64_t kPartNs = 100'000'000;
  const std::vector<bool> below = below_timer(profile);
  TimerWork work;
  if (profile.sample_window_ns > kPartNs) return work;  // in how many parts timers were due is not known
  if (std::ranges::find(below, true) == below.end() || profile.wall_ns < kPartNs) return work;
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  std::map<uint32_t, uint64_t> by_own;
  std::set<int64_t> parts;
  for (const Sample& sample : profile.samples) {
    if (!below[sample.node]) continue;
    work.periods += sample.periods;
    (own[sample.node] != 0 ? by_own[own[sample.node]] : work.looking) += sample.periods;
    parts.insert(sample.ns / kPartNs);
  }
  work.parts = std::min(1.0, static_cast<double>(parts.size()) * kPartNs / static_cast<double>(profile.wall_ns));
  const auto most = std::ranges::max_element(by_own, {}, [](const auto& entry) { return entry.second; });
  if (most != by_own.end()) work.most_own = most->first;
  return work;
}

}  // namespace oriel::profile
