#include "exports/page_view.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "exports/page_html.h"
#include "exports/page_sums.h"
#include "exports/page_trees.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using profile::Profile;

// What is sent at most. Methods are the heaviest by each figure.
constexpr size_t kMostMethods = 1'000, kMostListed = 3'000, kMostNeighbours = 500;

// What is selected of a tree, before anything is folded.
struct Selected {
  const std::vector<PageNode>* nodes = nullptr;
  std::vector<PageWeight> weights;  // by the chosen measure; of all groups, and of no thread
};

// Makes `most` the heaviest by each of the figures; of equally heavy ones, the first.
template <typename Row>
void keep_heaviest(std::vector<Row>& rows, size_t most,
                   const std::vector<std::function<uint64_t(const Row&)>>& figures) {
  if (rows.size() <= most) return;
  std::vector<bool> is_kept(rows.size());
  std::vector<size_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (const auto& figure : figures) {
    std::ranges::nth_element(order, order.begin() + static_cast<ptrdiff_t>(most), std::greater(),
                             [&](size_t row) { return std::pair(figure(rows[row]), rows.size() - row); });
    for (size_t i = 0; i < most; ++i) is_kept[order[i]] = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i)
    if (is_kept[i]) std::swap(rows[kept++], rows[i]);
  rows.resize(kept);
}

}  // namespace

struct PageView::Parts {
  const Profile& profile;
  const Options options;
  PageTrees page;
  std::vector<Folded> folded;                   // by tree
  std::vector<std::vector<uint32_t>> group_of;  // by tree and frame: the group at its first place
  std::vector<size_t> hidden;                   // by tree: nodes of scaffolding
  std::pair<int64_t, int64_t> range = {0, 0};   // that was asked for last
  std::vector<PageWeight> in_range = {};

  const WeightTree* tree_of(const PageSelection& selection) const {
    return selection.tree < page.trees.size() ? &page.trees[selection.tree] : nullptr;
  }

  // Of all threads, by node of the whole tree. A tree without times is always of the whole run.
  const std::vector<PageWeight>& weights_of(const WeightTree& one, const PageSelection& selection) {
    if (!selection.has_time() || !one.sampled.has_times()) return one.tree.weights;
    const std::pair wanted(selection.from_ns.value_or(std::numeric_limits<int64_t>::min()),
                           selection.to_ns.value_or(std::numeric_limits<int64_t>::max()));
    if (range != wanted) {
      in_range = weights_between(profile, one.sampled, wanted.first, wanted.second);
      range = wanted;
    }
    return in_range;
  }

  Selected select(const WeightTree& one, const PageSelection& selection) {
    const Folded& without = folded[selection.tree];
    const std::vector<PageWeight>& all = weights_of(one, selection);
    std::vector<PageWeight> weights;
    weights.reserve(selection.thread ? 0 : all.size());
    for (const PageWeight& weight : all) {
      if (selection.thread && weight.thread != *selection.thread) continue;
      const uint32_t node = selection.scaffolding ? weight.node : without.places[weight.node];
      weights.push_back({0, node, weight.group, selection.second ? weight.second : weight.self});
    }
    return {selection.scaffolding ? &one.tree.nodes : &without.nodes, std::move(weights)};
  }

  static auto counts(const PageSelection& selection) {
    return [&selection](const PageWeight& weight) {
      return selection.groups.empty() || selection.groups.contains(weight.group);
    };
  }

  // The frames of an answer: with the group of each.
  json frames_of(const std::set<uint32_t>& used, uint32_t tree) const {
    json frames = frames_json(page.frames, used);
    json groups = json::array();
    for (const uint32_t frame : used) groups.push_back(group_of[tree][frame]);
    frames["groups"] = std::move(groups);
    return frames;
  }

  json thread_sums(const WeightTree& one, const PageSelection& selection) {
    std::vector<uint64_t> sums(profile.threads.size());
    for (const PageWeight& weight : weights_of(one, selection))
      if (weight.thread < sums.size()) sums[weight.thread] += selection.second ? weight.second : weight.self;
    json all = json::array();
    for (size_t thread = 0; thread < sums.size(); ++thread)
      if (sums[thread] > 0) all.push_back({thread, sums[thread]});
    return all;
  }
};

PageView::PageView(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PageView::~PageView() = default;

Result<std::unique_ptr<PageView>> PageView::make(const Profile& profile, const Options& options) {
  Result<PageTrees> page = page_trees(profile, options);
  if (!page) return page.status();
  std::unique_ptr<Parts> parts(new Parts{profile, options, std::move(*page), {}, {}, {}});
  for (const WeightTree& one : parts->page.trees) {
    const std::vector<PageNode>& nodes = one.tree.nodes;
    parts->folded.push_back(without_scaffolding(one.tree));
    parts->hidden.push_back(static_cast<size_t>(std::ranges::count(one.tree.scaffolding, true)));
    std::vector<uint32_t>& group_of = parts->group_of.emplace_back(parts->page.frames.frames.size());
    for (size_t i = nodes.size(); i-- > 1;) group_of[nodes[i].frame] = nodes[i].group;
  }
  return std::unique_ptr<PageView>(new PageView(std::move(parts)));
}

void PageView::write_page(std::ostream& out) const {
  PageContent content;
  content.served = true;
  for (const WeightTree& one : parts_->page.trees)
    content.trees.push_back(one.sampled.has_times() ? R"({"served":true,"timed":true})" : R"({"served":true})");
  content.trees.insert(content.trees.end(), parts_->page.of_heap.begin(), parts_->page.of_heap.end());
  exports::write_page(parts_->profile, parts_->options, parts_->page, std::move(content), out);
}

json PageView::graph(const PageSelection& selection) {
  const WeightTree* const one = parts_->tree_of(selection);
  if (!one) return nullptr;
  const size_t frames = parts_->page.frames.frames.size();
  if (selection.callers_of && *selection.callers_of >= frames) return nullptr;
  const auto counts = Parts::counts(selection);
  const Selected calls = parts_->select(*one, selection);
  const NodeSums call_sums = node_sums(*calls.nodes, calls.weights, counts);
  Folded turned;
  std::vector<PageWeight> weights = calls.weights;
  if (selection.callers_of) {
    turned = callers_of(*calls.nodes, *selection.callers_of);
    weights = moved(weights, turned.places);
  }
  const std::vector<PageNode>& nodes = selection.callers_of ? turned.nodes : *calls.nodes;
  const NodeSums sums = selection.callers_of ? node_sums(nodes, weights, counts) : call_sums;
  ZoomedTree drawn = zoomed(nodes, sums.total, selection.zoom, parts_->page.smaller);

  PageTree tree{std::move(drawn.nodes), moved(weights, drawn.places), {}, false};
  tree.scaffolding.resize(tree.nodes.size());
  // Methods are those of calls; the zoomed node is then only one path to its frame.
  const uint32_t root = selection.callers_of ? 0 : drawn.zoomed;
  std::vector<FrameSum> methods = frame_sums(*calls.nodes, call_sums, root, frames);
  const size_t all = methods.size();
  keep_heaviest<FrameSum>(methods, kMostMethods, {&FrameSum::self, &FrameSum::total});
  std::set<uint32_t> used;
  if (selection.callers_of) used.insert(*selection.callers_of);  // which may have no weight here
  for (const PageNode& node : tree.nodes) used.insert(node.frame);
  json rows = json::array(), smaller = json::array();
  for (const FrameSum& method : methods) {
    used.insert(method.frame);
    rows.push_back({method.frame, method.self, method.total});
  }
  for (const Smaller& small : drawn.smaller) smaller.push_back({small.node, small.least, small.callees});
  const Matches found = matches_of(nodes, sums, drawn.zoomed, selection.found);
  return {{"tree", json::parse(to_json(tree, false))},
          {"smaller", smaller},
          {"threads", parts_->thread_sums(*one, selection)},
          {"methods", {{"rows", rows}, {"all", all}, {"whole", call_sums.total[root]}}},
          {"found", {found.total, found.frames, sums.total[drawn.zoomed]}},
          {"hidden", parts_->hidden[selection.tree]},
          {"frames", parts_->frames_of(used, selection.tree)}};
}

json PageView::method(const PageSelection& selection) {
  const WeightTree* const one = parts_->tree_of(selection);
  if (!one || !selection.frame) return nullptr;
  const Selected calls = parts_->select(*one, selection);
  const NodeSums sums = node_sums(*calls.nodes, calls.weights, Parts::counts(selection));
  FrameSum own;
  for (const FrameSum& sum : frame_sums(*calls.nodes, sums, 0, parts_->page.frames.frames.size()))
    if (sum.frame == *selection.frame) own = sum;
  const Neighbours neighbours = neighbours_of(*calls.nodes, sums, *selection.frame);
  std::set<uint32_t> used;
  const auto rows = [&](const std::vector<std::pair<uint32_t, uint64_t>>& all) {
    json list = json::array();
    for (const auto& [frame, weight] : std::span(all).first(std::min(all.size(), kMostNeighbours))) {
      list.push_back({frame == kNoCaller ? int64_t{-1} : int64_t{frame}, weight});
      if (frame != kNoCaller) used.insert(frame);
    }
    return list;
  };
  json callers = rows(neighbours.callers), callees = rows(neighbours.callees);
  return {{"self", own.self},
          {"total", own.total},
          {"whole", sums.total[0]},
          {"callers", std::move(callers)},
          {"callees", std::move(callees)},
          {"frames", parts_->frames_of(used, selection.tree)}};
}

json PageView::methods(const PageSelection& selection) {
  // By frame: self and total by each weight of the page that is not the heap's.
  struct Row {
    uint32_t frame = 0;
    std::vector<uint64_t> figures;
  };
  const std::vector<Frame>& frames = parts_->page.frames.frames;
  std::vector<Row> rows(frames.size());
  json columns = json::array();
  size_t figures = 0;
  for (const json& weight : parts_->page.weights) {
    PageSelection its = selection;
    its.tree = weight["tree"].get<uint32_t>();
    its.second = weight["column"].get<int>() == 1;
    its.scaffolding = true;
    const WeightTree* const one = parts_->tree_of(its);
    if (!one) continue;
    const Selected calls = parts_->select(*one, its);
    NodeSums sums = node_sums(*calls.nodes, calls.weights, Parts::counts(its));
    // Objects are allocated by the method that their type stands below.
    for (size_t i = 1; i < calls.nodes->size(); ++i) {
      const PageNode& node = (*calls.nodes)[i];
      if (node.parent == 0 || frames[node.frame].kind != FrameKind::kType) continue;
      sums.self[node.parent] += std::exchange(sums.self[i], 0);
    }
    columns.push_back(weight["name"]);
    figures += 2;
    for (const FrameSum& sum : frame_sums(*calls.nodes, sums, 0, frames.size())) {
      rows[sum.frame].figures.resize(figures);
      rows[sum.frame].figures[figures - 2] = sum.self;
      rows[sum.frame].figures[figures - 1] = sum.total;
    }
  }
  for (uint32_t frame = 0; frame < rows.size(); ++frame) {
    rows[frame].frame = frame;
    if (!rows[frame].figures.empty()) rows[frame].figures.resize(figures);
  }
  std::erase_if(rows,
                [&](const Row& row) { return row.figures.empty() || frames[row.frame].kind >= FrameKind::kType; });
  const size_t all = rows.size();
  std::vector<std::function<uint64_t(const Row&)>> by;
  for (size_t i = 0; i < figures; ++i) by.emplace_back([i](const Row& row) { return row.figures[i]; });
  keep_heaviest(rows, kMostListed, by);
  json listed = json::array();
  std::set<uint32_t> used;
  for (const Row& row : rows) {
    used.insert(row.frame);
    listed.push_back({row.frame, row.figures});
  }
  return {{"columns", columns},
          {"rows", listed},
          {"all", all},
          {"frames", parts_->frames_of(used, parts_->tree_of(selection) ? selection.tree : 0)}};
}

json PageView::names() const {
  std::set<uint32_t> used;
  for (const WeightTree& one : parts_->page.trees)
    for (const PageNode& node : one.tree.nodes) used.insert(node.frame);
  return frames_json(parts_->page.frames, used);
}

}  // namespace oriel::exports
