#include "export/page_trees.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "export/tree.h"

namespace oriel::exporting {
namespace {

using nlohmann::json;

// Stacks with one weight or two: objects have bytes, calls have time.
struct Weighed {
  profile::Profile profile;
  std::vector<uint64_t> second;  // by sample; empty: there is none
};

Result<Weighed> calls_of(const profile::Profile& profile, profile::Recursion recursion) {
  Result<profile::Profile> time = profile::by_weight(profile::Weight::kCallsTime, profile, recursion);
  if (!time) return time.status();
  Weighed weighed{std::move(*time), {}};
  for (const profile::Sample& sample : weighed.profile.samples)
    weighed.second.push_back(weighed.profile.node_counts[sample.node]);
  return weighed;
}

// Both have the same samples in the same order.
Result<Weighed> allocations_of(const profile::Profile& profile, profile::Recursion recursion) {
  Result<profile::Profile> bytes = profile::by_weight(profile::Weight::kBytes, profile, recursion);
  const Result<profile::Profile> objects = profile::by_weight(profile::Weight::kObjects, profile, recursion);
  if (!bytes || !objects) return bytes ? objects.status() : bytes.status();
  Weighed weighed{std::move(*bytes), {}};
  for (const profile::Sample& sample : objects->samples) weighed.second.push_back(sample.periods);
  return weighed;
}

// A type has no code: what its objects take belongs to the code that allocates them.
void give_types_to_their_sites(const profile::Profile& profile, Groups::Of& groups) {
  for (size_t i = 1; i < profile.nodes.size(); ++i)
    if (profile.functions[profile.nodes[i].function].type) groups.node[i] = groups.node[profile.nodes[i].parent];
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const uint32_t node = profile.samples[i].node;
    if (profile.functions[profile.nodes[node].function].type) groups.sample[i] = groups.node[node];
  }
}

std::vector<Weight> weights_of(const profile::Profile& profile, const std::vector<uint64_t>& second,
                               const std::vector<uint32_t>& groups) {
  std::vector<Weight> weights;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const profile::Sample& sample = profile.samples[i];
    weights.push_back({sample.thread, sample.node, sample.periods, second.empty() ? 0 : second[i], groups[i]});
  }
  return weights;
}

json threads_json(const Tree& tree, const std::vector<uint32_t>& group_of_node, bool has_second) {
  json threads = json::array();
  for (size_t i = 0; i < tree.threads.size(); ++i) {
    if (tree.threads[i].empty()) continue;
    json nodes = json::array(), self = json::array(), second = json::array(), other = json::array();
    uint32_t last = 0;
    for (const Tree::Self& weight : tree.threads[i]) {
      if (weight.group != group_of_node[weight.node]) other.push_back({nodes.size(), weight.group});
      nodes.push_back(weight.node - last);
      self.push_back(weight.periods);
      if (has_second) second.push_back(weight.second);
      last = weight.node;
    }
    threads.push_back({{"thread", i}, {"nodes", nodes}, {"self", self}, {"second", second}, {"other", other}});
  }
  return threads;
}

json tree_json(const profile::Profile& profile, const std::vector<uint64_t>& second, FrameTable& frames,
               Groups& groups) {
  Groups::Of of = groups.of(profile);
  give_types_to_their_sites(profile, of);
  const Tree tree = make_tree(profile, frames, weights_of(profile, second, of.sample));
  std::vector<uint32_t> group_of_node(tree.nodes.size(), groups.unknown());
  for (size_t i = profile.nodes.size(); i-- > 1;) group_of_node[tree.of_node[i]] = of.node[i];
  json up = json::array(), frame = json::array(), group = json::array();
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    up.push_back(i - tree.nodes[i].parent);
    frame.push_back(tree.nodes[i].frame);
    group.push_back(group_of_node[i]);
  }
  return {
      {"up", up}, {"frame", frame}, {"group", group}, {"threads", threads_json(tree, group_of_node, !second.empty())}};
}

}  // namespace

Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options, FrameTable& frames,
                             Groups& groups) {
  PageTrees page;
  const auto add = [&](const profile::Profile& weighed, const std::vector<uint64_t>& second,
                       std::initializer_list<const char*> names) {
    size_t column = 0;
    for (const char* name : names)
      page.weights.push_back({{"name", name}, {"tree", page.trees.size()}, {"column", column++}});
    page.trees.push_back(tree_json(weighed, second, frames, groups));
  };
  if (profile::check_weight(profile::Weight::kSamples, profile) || profile.total_periods() > 0)
    add(profile, {}, {"samples"});
  const auto add_weighed = [&](const Result<Weighed>& weighed, std::initializer_list<const char*> names) {
    if (!weighed) return weighed.status();
    Status checked = check_profile(weighed->profile);
    if (checked) add(weighed->profile, weighed->second, names);
    return checked;
  };
  if (profile::check_weight(profile::Weight::kCallsTime, profile)) {
    if (Status status = add_weighed(calls_of(profile, options.recursion), {"calls-time", "calls"}); !status)
      return status;
  }
  if (profile::check_weight(profile::Weight::kBytes, profile)) {
    if (Status status = add_weighed(allocations_of(profile, options.recursion), {"bytes", "objects"}); !status)
      return status;
  }
  if (page.trees.empty()) add(profile, {}, {"samples"});
  return page;
}

}  // namespace oriel::exporting
