#include "profile/waiting/parallel_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "profile/waiting/timeline.h"
#include "profile/waiting/waits.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

constexpr int64_t kPartNs = 20'000'000;  // a few samples long

bool is_loop(const Function& function) {
  return function.managed && (function.name.starts_with("System.Threading.Tasks.Parallel.") ||
                              function.name.starts_with("System.Threading.Tasks.TaskReplicator.") ||
                              function.name.starts_with("System.Linq.Parallel."));
}

std::vector<bool> below_loop(const Profile& profile) {
  std::vector<bool> below(profile.nodes.size());
  for (size_t i = 1; i < below.size(); ++i)
    below[i] = below[profile.nodes[i].parent] || is_loop(profile.functions[profile.nodes[i].function]);
  return below;
}

// One part of the run.
struct Part {
  std::set<uint32_t> ran;   // threads in a loop
  std::set<uint32_t> idle;  // threads waiting for work
  uint32_t own = 0;         // where the last of them ran
};

// Calls `add` with each part of the run that the sample covers.
template <typename Add>
void for_parts(const Sample& sample, const Profile& profile, Add add) {
  constexpr int64_t kMost = 500;
  const int64_t last = sample.ns / kPartNs;
  const int64_t first = std::max<int64_t>({0, last - kMost, (sample.ns - length_ns(sample, profile)) / kPartNs});
  for (int64_t part = first; part <= last; ++part) add(part);
}

}  // namespace

ParallelLoops parallel_loops(const Profile& profile) {
  const std::vector<bool> below = below_loop(profile);
  ParallelLoops loops;
  if (profile.sample_window_ns > kPartNs) return loops;  // which thread ran when is not known
  if (std::ranges::find(below, true) == below.end()) return loops;
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  std::map<int64_t, Part> parts;
  std::set<uint32_t> threads;
  for (const Sample& sample : profile.samples) {
    if (!below[sample.node] || own[sample.node] == 0) continue;
    threads.insert(sample.thread);
    for_parts(sample, profile, [&](int64_t at) {
      Part& part = parts[at];
      part.ran.insert(sample.thread);
      part.own = own[sample.node];
    });
  }
  // A waiting thread of a loop has no own code on its stack, or it is the one that started the loop.
  for (const Sample& wait : profile.waits) {
    if (!threads.contains(wait.thread)) continue;
    for_parts(wait, profile, [&](int64_t at) {
      if (const auto part = parts.find(at); part != parts.end()) part->second.idle.insert(wait.thread);
    });
  }
  std::map<uint32_t, int64_t> alone;
  for (const auto& entry : parts) {
    const Part& part = entry.second;
    loops.ns += kPartNs;
    const bool another_idles = std::ranges::any_of(part.idle, [&](uint32_t one) { return !part.ran.contains(one); });
    if (part.ran.size() != 1 || !another_idles) continue;
    loops.alone_ns += kPartNs;
    alone[part.own] += kPartNs;
  }
  const auto most = std::ranges::max_element(alone, {}, [](const auto& entry) { return entry.second; });
  if (most != alone.end()) loops.alone_own = most->first;
  return loops;
}

}  // namespace oriel::profile
