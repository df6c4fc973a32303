#include "heap/paths.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "heap/root_order.h"

namespace oriel::heap {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Breadth-first from the roots, strongest roots first.
struct ShortestPaths {
  std::vector<uint32_t> order;    // of objects
  std::vector<uint32_t> parents;  // by object: an object, or the number of objects + the index of a group of roots
  std::vector<uint8_t> places;    // by object: the place that leads to it

  explicit ShortestPaths(const Graph& graph)
      : parents(graph.objects(), kNone), places(graph.objects(), Graph::kManyPlaces) {
    order.reserve(graph.objects());
    const std::vector<OrderedRoots> roots = order_roots(graph, log::group_roots(graph.snapshot.roots));
    for (size_t i = 0; i < roots.size(); ++i) {
      for (const uint32_t object : roots[i].objects)
        reach(object, graph.objects() + roots[i].group, Graph::kManyPlaces);
      if (i + 1 == roots.size() || roots[i + 1].strength != roots[i].strength) follow(graph);
    }
  }

 private:
  void reach(uint32_t object, uint32_t from, uint8_t place) {
    if (parents[object] != kNone) return;
    parents[object] = from;
    places[object] = place;
    order.push_back(object);
  }

  void follow(const Graph& graph) {
    constexpr size_t kAhead = 8;
    for (; next_ < order.size(); ++next_) {
      if (next_ + kAhead < order.size())
        for (const uint32_t target :
             graph.references(order[next_ + kAhead])
                 .first(std::min<size_t>(graph.references(order[next_ + kAhead]).size(), kAhead)))
          __builtin_prefetch(&parents[target]);
      const uint32_t object = order[next_];
      for (uint32_t edge = graph.first_edge[object]; edge < graph.first_edge[object + 1]; ++edge)
        reach(graph.targets[edge], object, graph.places[edge]);
    }
  }

  size_t next_ = 0;
};

class Merger {
 public:
  Merger(const Graph& graph, const ChosenTypes& types, const ShortestPaths& paths, const std::vector<uint32_t>& alike)
      : graph_(graph), types_(types), paths_(paths), alike_(alike) {
    steps_.push_back({});
  }

  std::vector<PathStep> run() {
    const std::vector<bool> leads = leading();
    std::vector<uint32_t> step_of(graph_.objects(), 0);
    for (const uint32_t object : paths_.order) {
      if (!leads[object]) continue;
      const uint32_t parent = paths_.parents[object];
      const uint32_t before = parent < graph_.objects() ? step_of[parent] : root_step(parent - graph_.objects());
      const uint32_t step = step_of[object] = step_to(before, graph_.types[object], paths_.places[object]);
      if (!types_[graph_.types[object]]) continue;
      ++steps_[step].objects;
      steps_[step].bytes += graph_.bytes(object);
    }
    for (size_t i = steps_.size() - 1; i > 0; --i) {
      steps_[steps_[i].parent].objects += steps_[i].objects;
      steps_[steps_[i].parent].bytes += steps_[i].bytes;
    }
    return std::move(steps_);
  }

 private:
  static constexpr size_t kMostSteps = 1 << 16;
  static constexpr int kMostBetween = 3;  // types of a recursion

  // By object: whether it is of a chosen type, or on the path to one.
  std::vector<bool> leading() const {
    std::vector<bool> leads(graph_.objects());
    for (size_t i = paths_.order.size(); i-- > 0;) {
      const uint32_t object = paths_.order[i];
      if (!leads[object] && !types_[graph_.types[object]]) continue;
      leads[object] = true;
      if (paths_.parents[object] < graph_.objects()) leads[paths_.parents[object]] = true;
    }
    return leads;
  }

  uint32_t root_step(uint32_t root) {
    return add({0, root < alike_.size() ? alike_[root] : root, PathStep::kNoType, 0, false, 0, 0});
  }

  // A list's elements, and a tree's nodes, are one step.
  uint32_t step_to(uint32_t before, uint32_t type, uint8_t place) {
    uint32_t above = before;
    for (int i = 0; i < kMostBetween && above != 0; ++i, above = steps_[above].parent) {
      if (steps_[above].type != type) continue;
      steps_[above].repeats = true;
      return above;
    }
    return add({before, 0, type, place, false, 0, 0});
  }

  uint32_t add(const PathStep& step) {
    const auto [at, is_new] =
        known_.try_emplace({step.parent, step.root, step.type, step.place}, static_cast<uint32_t>(steps_.size()));
    if (is_new && steps_.size() >= kMostSteps) {
      known_.erase(at);
      return step.parent;
    }
    if (is_new) steps_.push_back(step);
    return at->second;
  }

  const Graph& graph_;
  const ChosenTypes& types_;
  const ShortestPaths& paths_;
  const std::vector<uint32_t>& alike_;
  std::vector<PathStep> steps_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint8_t>, uint32_t> known_;
};

}  // namespace

std::vector<PathStep> merged_paths(const Graph& graph, const ChosenTypes& types, const std::vector<uint32_t>& alike) {
  const ShortestPaths paths(graph);
  return Merger(graph, types, paths, alike).run();
}

}  // namespace oriel::heap
