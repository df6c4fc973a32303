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

// Sums of weights with the same key.
class Sums {
 public:
  struct Row : Weight {
    uint32_t part = 0;
    uint64_t hash() const { return profile::mix(uint64_t{thread} << 32 | node, uint64_t{group} << 32 | part); }
    bool same(const Row& other) const {
      return thread == other.thread && node == other.node && group == other.group && part == other.part;
    }
  };

  void add(const Weight& weight, uint32_t part = 0) {
    Row row{weight, part};
    row.periods = row.second = 0;
    const uint32_t known = rows_.find_or_add(row);
    rows_[known].periods += weight.periods;
    rows_[known].second += weight.second;
  }

  std::vector<Row> sorted() const {
    std::vector<Row> all;
    all.reserve(rows_.size());
    for (uint32_t i = 0; i < rows_.size(); ++i) all.push_back(rows_[i]);
    std::ranges::sort(all, {}, [](const Row& row) { return std::tuple(row.thread, row.node, row.group, row.part); });
    return all;
  }

 private:
  profile::HashedRows<Row> rows_;
};

// Splits a sample over parts of the run, in whole periods: each part gets the periods that end in it, the last one the
// rest. Calls `add(part, periods)`.
template <typename Add>
void each_part(const profile::Sample& sample, const profile::Profile& profile, const profile::Parts& parts,
               const Add& add) {
  const auto shares = profile::parts_of(sample, profile, parts);
  double until = 0;
  uint64_t given = 0;
  for (const auto& [part, share] : shares) {
    until += share * static_cast<double>(sample.periods);
    const bool is_last = part == shares.back().first;
    const uint64_t end =
        is_last ? sample.periods : std::min(sample.periods, static_cast<uint64_t>(std::llround(until)));
    if (end > given) add(part, end - given);
    given = end;
  }
}

// The periods of a sample that are within the range. Where a sample stands for several, most have a small part of
// theirs in it: what rounding left of those before is in `left`.
uint64_t periods_between(const profile::Sample& sample, const profile::Profile& profile, int64_t from_ns, int64_t to_ns,
                         double& left) {
  const auto [begin, end] = profile::span_of(sample, profile);
  const int64_t length = end - begin;
  if (length <= 0) return sample.ns >= from_ns && sample.ns < to_ns ? sample.periods : 0;
  const int64_t within = std::min(end, to_ns) - std::max(begin, from_ns);
  if (within <= 0) return 0;
  const double exact = static_cast<double>(sample.periods) * static_cast<double>(within) / static_cast<double>(length);
  if (profile.sample_window_ns == 0) return static_cast<uint64_t>(std::llround(exact));
  const double whole = std::floor(exact + left);
  left += exact - whole;
  return static_cast<uint64_t>(std::max(whole, 0.0));
}

PageTree page_tree(const Tree& tree, const std::vector<uint32_t>& group_of_node, bool has_second) {
  PageTree page;
  page.has_second = has_second;
  page.nodes.reserve(tree.nodes.size());
  for (size_t i = 0; i < tree.nodes.size(); ++i)
    page.nodes.push_back({tree.nodes[i].parent, tree.nodes[i].frame, group_of_node[i]});
  for (uint32_t thread = 0; thread < tree.threads.size(); ++thread)
    for (const Tree::Self& one : tree.threads[thread])
      page.weights.push_back({thread, one.node, one.group, one.periods, one.second});
  page.scaffolding.resize(page.nodes.size());
  return page;
}

// The tree node of stacks that could not be read.
uint32_t place_of_no_stack(const Tree& tree, const FrameTable& frames) {
  for (uint32_t i = 1; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].parent == 0 && tree.nodes[i].frame == frames.no_stack) return i;
  return 0;
}

WeightTree weight_tree(const profile::Profile& profile, const std::vector<uint64_t>& second, bool has_times,
                       PageTrees& page) {
  Groups::Of of = page.groups.of(profile);
  give_types_to_their_sites(profile, of);
  Sums sums;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const profile::Sample& sample = profile.samples[i];
    sums.add({sample.thread, sample.node, sample.periods, second.empty() ? 0 : second[i], of.sample[i]});
  }
  std::vector<Weight> weights;
  for (const Sums::Row& row : sums.sorted()) weights.push_back(row);
  Tree tree = make_tree(profile, page.frames, weights);
  std::vector<uint32_t> group_of_node(tree.nodes.size(), page.groups.unknown());
  for (size_t i = profile.nodes.size(); i-- > 1;) group_of_node[tree.of_node[i]] = of.node[i];
  WeightTree made{page_tree(tree, group_of_node, !second.empty()), {}};
  if (!has_times) return made;
  made.sampled = {std::move(tree.of_node), std::move(of.sample)};
  if (!made.sampled.leaf_of.empty()) made.sampled.leaf_of[0] = place_of_no_stack(tree, page.frames);
  return made;
}

}  // namespace

Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options) {
  PageTrees page;
  page.frames = make_frames(profile);
  page.smaller = static_cast<uint32_t>(page.frames.frames.size());
  page.frames.frames.push_back({"(smaller)", "", "", FrameKind::kRoot});
  const auto add = [&](const profile::Profile& weighed, const std::vector<uint64_t>& second,
                       std::initializer_list<const char*> names) {
    size_t column = 0;
    for (const char* name : names)
      page.weights.push_back({{"name", name}, {"tree", page.trees.size()}, {"column", column++}});
    page.trees.push_back(weight_tree(weighed, second, &weighed == &profile, page));
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
  page.heap = page_heap(profile, page.trees.size(), page.frames, page.groups, page.of_heap);
  if (!page.heap["snapshots"].empty())
    page.weights.push_back({{"name", "heap"}, {"tree", page.heap["snapshots"].back()["tree"]}, {"column", 0}});
  if (page.weights.empty()) add(profile, {}, {"samples"});
  for (WeightTree& one : page.trees) mark_scaffolding(page.frames, page.groups, one.tree);
  return page;
}

std::vector<PageWeight> weights_between(const profile::Profile& profile, const SampledTree& sampled, int64_t from_ns,
                                        int64_t to_ns) {
  Sums sums;
  double left = 0;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const profile::Sample& sample = profile.samples[i];
    const uint64_t periods = periods_between(sample, profile, from_ns, to_ns, left);
    if (periods > 0) sums.add({sample.thread, sampled.leaf_of[sample.node], periods, 0, sampled.group_of_sample[i]});
  }
  std::vector<PageWeight> weights;
  for (const Sums::Row& row : sums.sorted())
    weights.push_back({row.thread, row.node, row.group, row.periods, row.second});
  return weights;
}

void add_parts(const profile::Profile& profile, const SampledTree& sampled, const std::vector<uint32_t>& places,
               const profile::Parts& parts, PageTree& tree) {
  Sums sums;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const profile::Sample& sample = profile.samples[i];
    Weight weight{sample.thread, places[sampled.leaf_of[sample.node]], 0, 0, sampled.group_of_sample[i]};
    each_part(sample, profile, parts, [&](uint32_t part, uint64_t periods) {
      weight.periods = periods;
      sums.add(weight, part);
    });
  }
  // Both are by thread, node and group.
  const auto key = [](const auto& one) { return std::tuple(one.thread, one.node, one.group); };
  auto at = tree.weights.begin();
  for (const Sums::Row& row : sums.sorted()) {
    while (at != tree.weights.end() && key(*at) < key(row)) ++at;
    if (at != tree.weights.end() && key(*at) == key(row)) at->parts.emplace_back(row.part, row.periods);
  }
}

}  // namespace oriel::exports
