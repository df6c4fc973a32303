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

// By node.
struct LoopNodes {
  std::vector<uint32_t> own;   // the nearest own node
  std::vector<bool> below;     // whether it is a loop or below one
  std::vector<uint32_t> body;  // the function of the loop's body, which is the outermost own one below it; 0: outside
};
LoopNodes loop_nodes(const Profile& profile) {
  LoopNodes nodes{nearest_own_nodes(profile.nodes, profile), nodes_below(is_parallel_loop, profile),
                  std::vector<uint32_t>(profile.nodes.size())};
  for (uint32_t i = 1; i < nodes.body.size(); ++i) {
    const Node& node = profile.nodes[i];
    nodes.body[i] = nodes.body[node.parent];
    if (nodes.body[i] == 0 && nodes.below[i] && nodes.own[i] == i) nodes.body[i] = node.function;
  }
  return nodes;
}

// One part of a process's run.
struct LoopPart {
  std::map<uint32_t, uint32_t> in_body;  // by thread that ran or waited in a loop's body: that body
  std::set<uint32_t> idle;               // threads that waited for work, or for the loop that they started
  uint32_t own = 0;                      // where the last thread ran in a body; 0 if none ran
};
using LoopParts = std::map<int64_t, LoopPart>;

// Calls `add` with each part of the run that the sample covers.
template <typename Add>
void for_parts(const Sample& sample, const Profile& profile, Add add) {
  constexpr int64_t kMost = 500;
  const int64_t last = sample.ns / kPartNs;
  const int64_t first = std::max<int64_t>({0, last - kMost, (sample.ns - length_ns(sample, profile)) / kPartNs});
  for (int64_t part = first; part <= last; ++part) add(part);
}

std::map<uint32_t, LoopParts> parts_by_process(const LoopNodes& nodes, const Profile& profile) {
  const std::vector<bool> waiting = waiting_functions(profile);
  std::map<uint32_t, LoopParts> all;
  const auto parts_of = [&](const Sample& one) -> LoopParts& { return all[profile.threads[one.thread].process]; };
  const auto add = [&](const Sample& one, bool runs) {
    if (nodes.body[one.node] == 0) return;
    for_parts(one, profile, [&](int64_t at) {
      LoopPart& part = parts_of(one)[at];
      part.in_body[one.thread] = nodes.body[one.node];
      if (runs) part.own = nodes.own[one.node];
    });
  };
  for (const Sample& sample : profile.samples)
    if (!waiting[profile.nodes[sample.node].function]) add(sample, true);
  for (const Sample& wait : profile.waits) add(wait, false);
  for (const Sample& wait : profile.waits) {
    // In own code that is no loop it waits for something else.
    if (nodes.body[wait.node] != 0 || (nodes.own[wait.node] != 0 && !nodes.below[wait.node])) continue;
    LoopParts& parts = parts_of(wait);
    for_parts(wait, profile, [&](int64_t at) {
      if (const auto part = parts.find(at); part != parts.end()) part->second.idle.insert(wait.thread);
    });
  }
  return all;
}

// Calls `alone` with each part in which one thread ran in a body, and another idled that had been in the same one, with
// no break since.
template <typename Alone>
void for_alone(const LoopParts& parts, Alone alone) {
  constexpr int64_t kBreak = 5;
  std::map<uint32_t, uint32_t> body_of;  // by thread, since the last break
  int64_t last = 0;
  for (const auto& [at, part] : parts) {
    if (at - last > kBreak) body_of.clear();
    last = at;
    for (const auto& [thread, body] : part.in_body) body_of[thread] = body;
    if (part.own == 0 || part.in_body.size() != 1) continue;
    const uint32_t body = part.in_body.begin()->second;
    const auto idles = [&, &in_body = part.in_body](uint32_t thread) {  // clang 14 captures no structured bindings
      const auto known = body_of.find(thread);
      return known != body_of.end() && known->second == body && !in_body.contains(thread);
    };
    if (std::ranges::any_of(part.idle, idles)) alone(part.own);
  }
}

}  // namespace

bool is_parallel_loop(const Function& function) {
  return function.managed && (function.name.starts_with("System.Threading.Tasks.Parallel.") ||
                              function.name.starts_with("System.Threading.Tasks.TaskReplicator.") ||
                              function.name.starts_with("System.Linq.Parallel."));
}

ParallelLoops parallel_loops(const Profile& profile) {
  ParallelLoops loops;
  if (profile.sample_window_ns > kPartNs) return loops;  // which thread ran when is not known
  const LoopNodes nodes = loop_nodes(profile);
  if (std::ranges::find(nodes.below, true) == nodes.below.end()) return loops;
  std::map<uint32_t, int64_t> alone;
  for (const auto& [process, parts] : parts_by_process(nodes, profile)) {
    loops.ns += std::ssize(parts) * kPartNs;
    for_alone(parts, [&](uint32_t own) { alone[own] += kPartNs; });
  }
  for (const auto& [own, ns] : alone) loops.alone_ns += ns;
  const auto most = std::ranges::max_element(alone, {}, [](const auto& entry) { return entry.second; });
  if (most != alone.end()) loops.alone_own = most->first;
  return loops;
}

}  // namespace oriel::profile
