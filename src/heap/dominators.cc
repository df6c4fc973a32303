// Dominators by the algorithm SEMI-NCA of Georgiadis (Linear-Time Algorithms for Dominators and Related Problems,
// Princeton 2005): semidominators as Lengauer and Tarjan compute them, with path compression; then each node's
// dominator is the nearest common ancestor of its parent and its semidominator in the tree of dominators made so far.
#include "heap/dominators.h"

#include <algorithm>
#include <utility>

#include "heap/outermost.h"
#include "heap/root_order.h"

namespace oriel::heap {
namespace {

// The depth-first tree, and the references that are not in it.
struct Search {
  std::vector<uint32_t> parents;                       // by number
  std::vector<std::pair<uint32_t, uint32_t>> further;  // from, to
};

class DepthFirst {
 public:
  DepthFirst(const Graph& graph, Dominators& tree, Search& search) : graph_(graph), tree_(tree), search_(search) {}

  void run() {
    const log::HeapRootGroups groups = log::group_roots(graph_.snapshot.roots);
    const std::vector<OrderedRoots> ordered = order_roots(graph_, groups);
    tree_.roots = groups.groups;
    tree_.objects = graph_.objects();
    tree_.numbers.assign(tree_.objects, 0);
    const size_t most = size_t{1} + ordered.size() + tree_.objects;
    tree_.nodes.reserve(most);
    search_.parents.reserve(most);
    search_.further.reserve(graph_.targets.size());  // takes memory only as it is filled
    add(0, tree_.objects);
    uint32_t first_of_strength = 1;
    for (size_t i = 0; i < ordered.size(); ++i) {
      if (i != 0 && ordered[i].strength != ordered[i - 1].strength) first_of_strength = tree_.size();
      const uint32_t number = tree_.size();
      add(0, tree_.objects + ordered[i].group);
      push(number, ordered[i].objects);
      follow(first_of_strength);
    }
  }

 private:
  void add(uint32_t parent, uint32_t node) {
    tree_.nodes.push_back(node);
    search_.parents.push_back(parent);
  }

  // The first one comes to the top. Where an object's number is, the memory is asked for early.
  void push(uint32_t from, std::span<const uint32_t> targets) {
    for (size_t i = targets.size(); i-- > 0;) {
      __builtin_prefetch(&tree_.numbers[targets[i]]);
      stack_.push_back({from, targets[i]});
    }
  }

  void follow(uint32_t first_of_strength) {
    while (!stack_.empty()) {
      const auto [from, object] = stack_.back();
      stack_.pop_back();
      uint32_t& number = tree_.numbers[object];
      if (number == 0) {
        number = tree_.size();
        add(from, object);
        push(number, graph_.references(object));
      } else if (number >= first_of_strength && number != from && search_.parents[number] != from) {
        search_.further.emplace_back(from, number);
      }
    }
  }

  const Graph& graph_;
  Dominators& tree_;
  Search& search_;
  std::vector<std::pair<uint32_t, uint32_t>> stack_;
};

// By number, from whom further references come: lists behind one another.
struct Sources {
  std::vector<uint32_t> first, from;
};

Sources sources_of(Search& search) {
  Sources sources;
  sources.first.assign(search.parents.size() + 1, 0);
  for (const auto& [from, to] : search.further) ++sources.first[to + 1];
  for (size_t i = 1; i < sources.first.size(); ++i) sources.first[i] += sources.first[i - 1];
  sources.from.resize(search.further.size());
  // Each list's begin moves to its end, and back.
  for (const auto& [from, to] : search.further) sources.from[sources.first[to]++] = from;
  for (size_t i = sources.first.size() - 1; i > 0; --i) sources.first[i] = sources.first[i - 1];
  sources.first[0] = 0;
  search.further = {};
  return sources;
}

class Semidominators {
 public:
  explicit Semidominators(const std::vector<uint32_t>& parents)
      : above_(parents), least_(parents.size()), parents_(parents) {}

  std::vector<uint32_t> run(const Sources& sources) {
    std::vector<uint32_t> semidominators(parents_.size(), 0);
    for (auto number = static_cast<uint32_t>(parents_.size() - 1); number > 0; --number) {
      uint32_t least = parents_[number];
      for (uint32_t i = sources.first[number]; i < sources.first[number + 1]; ++i) {
        const uint32_t from = sources.from[i];
        least = std::min(least, from < number ? from : least_above(from, number));
      }
      semidominators[number] = least_[number] = least;
    }
    return semidominators;
  }

 private:
  // The least semidominator on the way from a node up to the last one that is greater than `number`.
  uint32_t least_above(uint32_t node, uint32_t number) {
    uint32_t top = node;
    for (; above_[top] > number; top = above_[top]) path_.push_back(top);
    for (; !path_.empty(); path_.pop_back()) {
      const uint32_t under = path_.back();
      const uint32_t next = above_[under];
      least_[under] = std::min(least_[under], least_[next]);
      above_[under] = above_[next];
    }
    return least_[node];
  }

  std::vector<uint32_t> above_;  // parents, with what was already looked through left out
  std::vector<uint32_t> least_;  // semidominators of what was left out, and of the node
  const std::vector<uint32_t>& parents_;
  std::vector<uint32_t> path_;
};

// In place of the parents.
void set_dominators(const std::vector<uint32_t>& semidominators, std::vector<uint32_t>& parents) {
  for (size_t number = 1; number < parents.size(); ++number) {
    uint32_t dominator = parents[number];
    while (dominator > semidominators[number]) dominator = parents[dominator];
    parents[number] = dominator;
  }
}

void add_up(const Graph& graph, Dominators& tree) {
  tree.retained.assign(tree.size(), 0);
  tree.first_child.assign(tree.size(), 0);
  tree.next_child.assign(tree.size(), 0);
  for (uint32_t number = tree.size() - 1; number > 0; --number) {
    if (tree.is_object(number)) tree.retained[number] += graph.bytes(tree.nodes[number]);
    const uint32_t dominator = tree.dominators[number];
    tree.retained[dominator] += tree.retained[number];
    tree.next_child[number] = std::exchange(tree.first_child[dominator], number);
  }
}

}  // namespace

Dominators dominators_of(const Graph& graph) {
  Dominators tree;
  Search search;
  DepthFirst(graph, tree, search).run();
  {
    const Sources sources = sources_of(search);
    const std::vector<uint32_t> semidominators = Semidominators(search.parents).run(sources);
    set_dominators(semidominators, search.parents);
  }
  tree.dominators = std::move(search.parents);
  add_up(graph, tree);
  return tree;
}

std::vector<TypeFigures> type_figures(const Graph& graph, const Dominators& tree) {
  std::vector<TypeFigures> figures(graph.snapshot.types.size());
  for (uint32_t object = 0; object < graph.objects(); ++object) {
    TypeFigures& of_type = figures[graph.types[object]];
    const bool reached = tree.numbers[object] != 0;
    ++(reached ? of_type.objects : of_type.unreachable);
    (reached ? of_type.bytes : of_type.unreachable_bytes) += graph.bytes(object);
  }
  const std::vector<uint64_t> retained =
      retained_by_groups(tree, figures.size(), [&](uint32_t number) { return graph.types[tree.nodes[number]]; });
  for (size_t i = 0; i < figures.size(); ++i) figures[i].retained = retained[i];
  return figures;
}

}  // namespace oriel::heap
