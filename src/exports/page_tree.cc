#include "exports/page_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

#include "exports/page_sums.h"
#include "profile/hashed_rows.h"

namespace oriel::exports {
namespace {

auto key_of(const PageWeight& weight) { return std::tuple(weight.thread, weight.node, weight.group); }

struct MovedWeight : PageWeight {
  uint64_t hash() const { return profile::mix(uint64_t{thread} << 32 | node, group); }
  bool same(const MovedWeight& other) const { return key_of(*this) == key_of(other); }
};

// About how many numbers the JSON has.
uint64_t numbers_of(const PageTree& tree) { return 3 * (tree.nodes.size() + tree.weights.size()); }

// Joins parts that are beside each other, twice as many with each step. What was in them counts in the first.
void join_parts(std::vector<std::pair<uint32_t, uint64_t>>& parts, size_t most) {
  for (uint32_t bits = 1; parts.size() > most; ++bits) {
    size_t kept = 0;
    for (const auto& [part, self] : parts) {
      if (kept > 0 && parts[kept - 1].first >> bits == part >> bits)
        parts[kept - 1].second += self;
      else
        parts[kept++] = {part, self};
    }
    parts.resize(kept);
  }
}

// Folds callees with a total below `least`.
Bounded folded_below(const PageTree& tree, const std::vector<uint64_t>& totals, uint64_t least, uint32_t smaller) {
  Bounded made{{}, std::vector<uint32_t>(tree.nodes.size()), least};
  std::vector<uint32_t>& places = made.places;
  Regrower regrower;
  std::vector<bool> is_kept(tree.nodes.size());
  is_kept[0] = true;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const PageNode& node = tree.nodes[i];
    is_kept[i] = is_kept[node.parent] && totals[i] >= least;
    made.folded += is_kept[i] ? 0 : 1;
    places[i] = is_kept[i]             ? regrower.child(places[node.parent], node.frame, node.group)
                : is_kept[node.parent] ? regrower.child(places[node.parent], smaller, node.group)
                                       : places[node.parent];
  }
  made.tree.nodes = regrower.finish(places);
  made.tree.weights = moved(tree.weights, places);
  made.tree.has_second = tree.has_second;
  made.tree.scaffolding.resize(made.tree.nodes.size());
  for (size_t i = 1; i < tree.nodes.size(); ++i)
    if (is_kept[i]) made.tree.scaffolding[places[i]] = tree.scaffolding[i];
  return made;
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

// Parts of the run, delta-coded, each with its weight.
NumberList parts_of(const PageWeight& weight) {
  NumberList parts;
  uint32_t last = 0;
  for (const auto& [part, self] : weight.parts) {
    parts.add(part - last);
    parts.add(self);
    last = part;
  }
  return parts;
}

std::string thread_json(std::span<const PageWeight> weights, const PageTree& tree, bool has_times) {
  NumberList nodes, self, second, other, parts;
  uint32_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const PageWeight& weight = weights[i];
    NumberList of_other_group;
    of_other_group.add(i);
    of_other_group.add(weight.group);
    if (weight.group != tree.nodes[weight.node].group) other.add_list(of_other_group);
    nodes.add(weight.node - last);
    self.add(weight.self);
    if (tree.has_second) second.add(weight.second);
    if (has_times) parts.add_list(parts_of(weight));
    last = weight.node;
  }
  return fmt::format(R"({{"thread":{},"nodes":{},"self":{},"second":{},"other":{},"parts":{}}})", weights[0].thread,
                     nodes.json(), self.json(), second.json(), other.json(), parts.json());
}

std::string threads_json(const PageTree& tree, bool has_times) {
  std::string threads;
  const std::span<const PageWeight> all = tree.weights;
  for (size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].thread == all[i].thread) ++end;
    threads += (threads.empty() ? "[" : ",") + thread_json(all.subspan(i, end - i), tree, has_times);
  }
  return threads.empty() ? "[]" : threads + "]";
}

}  // namespace

std::vector<uint64_t> totals_of(const PageTree& tree) {
  return node_sums(tree.nodes, tree.weights, [](const PageWeight&) { return true; }).total;
}

uint32_t Regrower::child(uint32_t parent, uint32_t frame, uint32_t group) {
  const auto next = static_cast<uint32_t>(nodes_.size());
  const uint32_t node = children_.find_or_add(parent, frame, next);
  if (node == next) nodes_.push_back({parent, frame, group});
  return node;
}

std::vector<PageNode> Regrower::finish(std::vector<uint32_t>& places) const {
  // First child and next sibling, in the order in which they were made.
  std::vector<uint32_t> first(nodes_.size()), next(nodes_.size()), order(nodes_.size());
  for (auto i = static_cast<uint32_t>(nodes_.size()); i-- > 1;) {
    next[i] = first[nodes_[i].parent];
    first[nodes_[i].parent] = i;
  }
  std::vector<PageNode> nodes;
  nodes.reserve(nodes_.size());
  for (uint32_t at = 0;;) {
    order[at] = static_cast<uint32_t>(nodes.size());
    nodes.push_back({order[nodes_[at].parent], nodes_[at].frame, nodes_[at].group});
    if (first[at] != 0) {
      at = first[at];
      continue;
    }
    while (at != 0 && next[at] == 0) at = nodes_[at].parent;
    if (at == 0) break;
    at = next[at];
  }
  for (uint32_t& place : places)
    if (place != kNoPlace) place = order[place];
  return nodes;
}

std::vector<PageWeight> moved(const std::vector<PageWeight>& weights, const std::vector<uint32_t>& places) {
  // There may be millions, of which few differ where they go.
  profile::HashedRows<MovedWeight> sums;
  for (const PageWeight& one : weights) {
    if (places[one.node] == kNoPlace) continue;
    const uint32_t known = sums.find_or_add({{one.thread, places[one.node], one.group, 0, 0, {}}});
    sums[known].self += one.self;
    sums[known].second += one.second;
  }
  std::vector<PageWeight> all;
  all.reserve(sums.size());
  for (uint32_t i = 0; i < sums.size(); ++i) all.push_back(std::move(sums[i]));
  std::ranges::sort(all, {}, key_of);
  return all;
}

Folded without_scaffolding(const PageTree& tree) {
  Folded folded{{}, std::vector<uint32_t>(tree.nodes.size())};
  Regrower regrower;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const PageNode& node = tree.nodes[i];
    const uint32_t above = folded.places[node.parent];
    folded.places[i] = tree.scaffolding[i] ? above : regrower.child(above, node.frame, node.group);
  }
  folded.nodes = regrower.finish(folded.places);
  return folded;
}

Bounded bounded(const PageTree& tree, uint32_t smaller, uint64_t most) {
  constexpr uint64_t kFirstShare = 200'000;
  const std::vector<uint64_t> totals = totals_of(tree);
  if (numbers_of(tree) <= most) return folded_below(tree, totals, 0, smaller);
  for (uint64_t least = std::max<uint64_t>(2, totals[0] / kFirstShare);; least += (least + 1) / 2) {
    Bounded made = folded_below(tree, totals, least, smaller);
    if (numbers_of(made.tree) <= most || least > totals[0]) return made;
  }
}

void bound_parts(PageTree& tree, uint64_t most) {
  constexpr uint64_t kLeast = 2;
  const double total = static_cast<double>(std::max<uint64_t>(1, totals_of(tree)[0]));
  for (PageWeight& weight : tree.weights) {
    const auto share = static_cast<uint64_t>(static_cast<double>(weight.self) / total * static_cast<double>(most));
    join_parts(weight.parts, std::max(kLeast, share));
  }
}

std::string to_json(const PageTree& tree, bool has_times) {
  NumberList up, frame, group, scaffolding;
  for (size_t i = 1, last = 0; i < tree.nodes.size(); ++i) {
    up.add(i - tree.nodes[i].parent);
    frame.add(tree.nodes[i].frame);
    group.add(tree.nodes[i].group);
    if (!tree.scaffolding[i]) continue;
    scaffolding.add(i - last);
    last = i;
  }
  return fmt::format(R"({{"up":{},"frame":{},"group":{},"scaffolding":{},"threads":{}}})", up.json(), frame.json(),
                     group.json(), scaffolding.json(), threads_json(tree, has_times));
}

}  // namespace oriel::exports
