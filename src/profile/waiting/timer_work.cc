#include "profile/waiting/timer_work.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "profile/recorded.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

bool serves_timers(const Function& function) {
  return function.managed && (function.name.starts_with("System.Threading.TimerQueueTimer.") ||
                              function.name.starts_with("System.Threading.TimerQueue."));
}

// What runs below it comes after an await, as that of Task.Delay: a timer only completed the task.
bool completes_tasks(const Function& function) {
  constexpr std::string_view kBegins[] = {"System.Threading.Tasks.Task.DelayPromise.",
                                          "System.Threading.Tasks.Task.RunContinuations(",
                                          "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore<"};
  return function.managed &&
         std::ranges::any_of(kBegins, [&](std::string_view begins) { return function.name.starts_with(begins); });
}

enum class Below : uint8_t { kNone, kTimer, kCompletion };

// By node: what it or one of its callers serves. Own code that sets a timer is below none.
std::vector<Below> below_timer(const std::vector<uint32_t>& own, const Profile& profile) {
  std::vector<Below> below(profile.nodes.size());
  for (size_t i = 1; i < below.size(); ++i) {
    const Function& function = profile.functions[profile.nodes[i].function];
    below[i] = below[profile.nodes[i].parent];
    if (below[i] == Below::kNone && own[i] == 0 && serves_timers(function)) below[i] = Below::kTimer;
    if (below[i] == Below::kTimer && completes_tasks(function)) below[i] = Below::kCompletion;
  }
  return below;
}

// What a thread was seen at: a callback of a timer, or anything else.
struct Seen {
  int64_t ns;
  bool in_callback;
};

// How often a thread that was seen elsewhere is then seen in a callback: once in one that takes long.
uint64_t begun_callbacks(const std::vector<Below>& below, const std::vector<uint32_t>& own, const Profile& profile) {
  std::vector<std::vector<Seen>> of_thread(profile.threads.size());
  const auto add = [&](const Sample& one) {
    of_thread[one.thread].push_back({one.ns, below[one.node] == Below::kTimer && own[one.node] != 0});
  };
  std::ranges::for_each(profile.samples, add);
  std::ranges::for_each(profile.waits, add);
  uint64_t begun = 0;
  for (std::vector<Seen>& all : of_thread) {
    std::ranges::stable_sort(all, {}, &Seen::ns);
    for (size_t i = 0; i < all.size(); ++i) begun += all[i].in_callback && (i == 0 || !all[i - 1].in_callback);
  }
  return begun;
}

}  // namespace

TimerWork timer_work(const Profile& profile) {
  constexpr int64_t kTimerPartNs = 100'000'000;
  constexpr size_t kFewest = 5, kPartsOfOne = 5;
  TimerWork work;
  if (profile.sample_window_ns > kTimerPartNs) return work;  // in how many parts timers were due is not known
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  const std::vector<Below> below = below_timer(own, profile);
  const int64_t wall_ns = kept_ns(profile);
  if (std::ranges::find(below, Below::kTimer) == below.end() || wall_ns < kTimerPartNs) return work;
  std::map<uint32_t, uint64_t> by_own;
  std::set<int64_t> parts;
  for (const Sample& sample : profile.samples) {
    if (below[sample.node] == Below::kCompletion) work.completing += sample.periods;
    if (below[sample.node] != Below::kTimer) continue;
    work.periods += sample.periods;
    parts.insert(sample.ns / kTimerPartNs);
    (own[sample.node] != 0 ? by_own[own[sample.node]] : work.looking) += sample.periods;
  }
  work.parts = std::min(1.0, static_cast<double>(parts.size()) * kTimerPartNs / static_cast<double>(wall_ns));
  work.often = begun_callbacks(below, own, profile) >= std::max<size_t>(kFewest, parts.size() / kPartsOfOne);
  const auto most = std::ranges::max_element(by_own, {}, [](const auto& entry) { return entry.second; });
  if (most != by_own.end()) work.most_own = most->first;
  return work;
}

}  // namespace oriel::profile
