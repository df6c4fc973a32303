#include "exports/page_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exports/page_heap.h"
#include "exports/tree.h"
#include "profile/waiting/timeline.h"

namespace oriel::exports {
namespace {

using nlohmann::json;

// A profile with a second weight per sample: objects have bytes, calls have time.
struct Weighed {
  profile::Profile profile;
  std::vector<uint64_t> second;  // by sample; empty if there is none
};

Result<Weighed> calls_of(const profile::Profile& profile, profile::Recursion recursion) {
  Result<profile::Profile> time = profile::by_weight(profile::WeightKind::kCallsTime, profile, recursion);
  if (!time) return time.status();
  Weighed weighed{std::move(*time), {}};
  for (const profile::Sample& sample : weighed.profile.samples)
    weighed.second.push_back(weighed.profile.node_counts[sample.node]);
  return weighed;
}

// Both profiles have the same samples in the same order.
Result<Weighed> allocations_of(const profile::Profile& profile, profile::Recursion recursion) {
  Result<profile::Profile> bytes = profile::by_weight(profile::WeightKind::kBytes, profile, recursion);
  const Result<profile::Profile> objects = profile::by_weight(profile::WeightKind::kObjects, profile, recursion);
  if (!bytes || !objects) return bytes ? objects.status() : bytes.status();
  Weighed weighed{std::move(*bytes), {}};
  for (const profile::Sample& sample : objects->samples) weighed.second.push_back(sample.periods);
  return weighed;
}

// A type has no code, so it takes the group of the code that allocates it.
void give_types_to_their_sites(const profile::Profile& profile, Groups::Of& groups) {
  for (size_t i = 1; i < profile.nodes.size(); ++i)
    if (profile.functions[profile.nodes[i].function].type) groups.node[i] = groups.node[profile.nodes[i].parent];
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const uint32_t node = profile.samples[i].node;
    if (profile.functions[profile.nodes[node].function].type) groups.sample[i] = groups.node[node];
  }
}

// Sums weights that differ in nothing else while they are added, because there may be millions.
class Sums {
 public:
  void add(const Weight& weight) {
    if (all_.size() >= most_) add_up();
    all_.push_back(weight);
  }
  std::vector<Weight> take() {
    add_up();
    return std::move(all_);
  }

 private:
  void add_up() {
    const auto key = [](const Weight& one) { return std::tuple(one.thread, one.node, one.group, one.part); };
    std::ranges::sort(all_, {}, key);
    size_t kept = 0;
    for (const Weight& one : all_) {
      if (kept > 0 && key(all_[kept - 1]) == key(one)) {
        all_[kept - 1].periods += one.periods;
        all_[kept - 1].second += one.second;
      } else {
        all_[kept++] = one;
      }
    }
    all_.resize(kept);
    most_ = std::max(most_, 2 * kept);
  }

  std::vector<Weight> all_;
  size_t most_ = 1 << 16;
};

// Splits a sample over parts of the run, in whole periods: each part gets the periods that end in it, the last one the
// rest.
void add_by_part(const profile::Sample& sample, Weight weight, const profile::Profile& profile,
                 const profile::Parts& parts, Sums& weights) {
  const auto shares = profile::parts_before(sample.ns, profile::length_ns(sample, profile), parts);
  double until = 0;
  uint64_t given = 0;
  for (const auto& [part, share] : shares) {
    until += share * static_cast<double>(sample.periods);
    const bool is_last = part == shares.back().first;
    const uint64_t end =
        is_last ? sample.periods : std::min(sample.periods, static_cast<uint64_t>(std::llround(until)));
    weight.part = part;
    weight.periods = end - given;
    given = end;
    if (weight.periods > 0) weights.add(weight);
  }
}

std::vector<Weight> weights_of(const profile::Profile& profile, const std::vector<uint64_t>& second,
                               const std::vector<uint32_t>& groups, const profile::Parts* parts) {
  Sums weights;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const profile::Sample& sample = profile.samples[i];
    const Weight weight{sample.thread, sample.node, sample.periods, second.empty() ? 0 : second[i], groups[i]};
    if (parts)
      add_by_part(sample, weight, profile, *parts, weights);
    else
      weights.add(weight);
  }
  return weights.take();
}

// A comma-separated list of numbers. As text, because JSON values take ten times as much memory.
class NumberList {
 public:
  void add(uint64_t number) { fmt::format_to(std::back_inserter(text_), "{}{}", text_.empty() ? "" : ",", number); }
  void add_list(const NumberList& list) { text_ += (text_.empty() ? "[" : ",[") + list.text_ + "]"; }
  std::string json() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
};

// Parts of the run, delta-coded, each with its periods; all periods are in the first part if times are not known.
NumberList parts_of(const Tree::Self& weight) {
  NumberList parts;
  uint32_t last = 0;
  for (const auto& [part, periods] : weight.parts) {
    parts.add(part - last);
    parts.add(periods);
    last = part;
  }
  return parts;
}

std::string thread_json(size_t thread, const std::vector<Tree::Self>& weights,
                        const std::vector<uint32_t>& group_of_node, bool has_second, bool has_times) {
  NumberList nodes, self, second, other, parts;
  uint32_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const Tree::Self& weight = weights[i];
    NumberList of_other_group;
    of_other_group.add(i);
    of_other_group.add(weight.group);
    if (weight.group != group_of_node[weight.node]) other.add_list(of_other_group);
    nodes.add(weight.node - last);
    self.add(weight.periods);
    if (has_second) second.add(weight.second);
    if (has_times) parts.add_list(parts_of(weight));
    last = weight.node;
  }
  return fmt::format(R"({{"thread":{},"nodes":{},"self":{},"second":{},"other":{},"parts":{}}})", thread, nodes.json(),
                     self.json(), second.json(), other.json(), parts.json());
}

std::string threads_json(const Tree& tree, const std::vector<uint32_t>& group_of_node, bool has_second,
                         bool has_times) {
  std::string threads;
  for (size_t i = 0; i < tree.threads.size(); ++i) {
    if (tree.threads[i].empty()) continue;
    threads += threads.empty() ? "[" : ",";
    threads += thread_json(i, tree.threads[i], group_of_node, has_second, has_times);
  }
  return threads.empty() ? "[]" : threads + "]";
}

// `times`, if not null, adds the times of samples.
std::string tree_json(const profile::Profile& profile, const std::vector<uint64_t>& second, FrameTable& frames,
                      Groups& groups, const profile::Parts* times) {
  Groups::Of of = groups.of(profile);
  give_types_to_their_sites(profile, of);
  const Tree tree = make_tree(profile, frames, weights_of(profile, second, of.sample, times));
  std::vector<uint32_t> group_of_node(tree.nodes.size(), groups.unknown());
  for (size_t i = profile.nodes.size(); i-- > 1;) group_of_node[tree.of_node[i]] = of.node[i];
  NumberList up, frame, group;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    up.add(i - tree.nodes[i].parent);
    frame.add(tree.nodes[i].frame);
    group.add(group_of_node[i]);
  }
  return fmt::format(R"({{"up":{},"frame":{},"group":{},"threads":{}}})", up.json(), frame.json(), group.json(),
                     threads_json(tree, group_of_node, !second.empty(), times != nullptr));
}

}  // namespace

Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options, FrameTable& frames,
                             Groups& groups) {
  PageTrees page;
  const profile::Parts times = profile::parts_of_run(profile, kPartsOfRun);
  const auto add = [&](const profile::Profile& weighed, const std::vector<uint64_t>& second,
                       std::initializer_list<const char*> names) {
    size_t column = 0;
    for (const char* name : names)
      page.weights.push_back({{"name", name}, {"tree", page.trees.size()}, {"column", column++}});
    page.trees.push_back(tree_json(weighed, second, frames, groups, &weighed == &profile ? &times : nullptr));
  };
  if (profile::check_weight(profile::WeightKind::kSamples, profile) || profile.total_periods() > 0)
    add(profile, {}, {"samples"});
  const auto add_weighed = [&](const Result<Weighed>& weighed, std::initializer_list<const char*> names) {
    if (!weighed) return weighed.status();
    Status checked = check_profile(weighed->profile);
    if (checked) add(weighed->profile, weighed->second, names);
    return checked;
  };
  if (profile::check_weight(profile::WeightKind::kCallsTime, profile)) {
    if (Status status = add_weighed(calls_of(profile, options.recursion), {"calls-time", "calls"}); !status)
      return status;
  }
  if (profile::check_weight(profile::WeightKind::kBytes, profile)) {
    if (Status status = add_weighed(allocations_of(profile, options.recursion), {"bytes", "objects"}); !status)
      return status;
  }
  using profile::WeightKind;
  for (const auto& [weight, name] :
       {std::pair(WeightKind::kAlive, "alive"), {WeightKind::kAlive2, "alive-2"}, {WeightKind::kAlive10, "alive-10"}})
    if (const Result<profile::Profile> alive = profile::by_weight(weight, profile)) add(*alive, {}, {name});
  page.heap = page_heap(profile, frames, groups, page.trees);
  if (!page.heap["snapshots"].empty())
    page.weights.push_back({{"name", "heap"}, {"tree", page.heap["snapshots"].back()["tree"]}, {"column", 0}});
  if (page.trees.empty()) add(profile, {}, {"samples"});
  return page;
}

}  // namespace oriel::exports
