#include "heap/holders.h"

#include <algorithm>
#include <functional>

namespace oriel::heap {

namespace {

constexpr uint64_t kNotableShare = 20;  // one in so many bytes
constexpr size_t kMostShares = 3;

// Of what stands right below the roots.
std::vector<Holder::Share> largest_shares(const Dominators& tree, const std::vector<uint64_t>& below,
                                          const std::vector<bool>& chosen) {
  std::vector<Holder::Share> shares;
  for (uint32_t child = tree.first_child[0]; child != 0; child = tree.next_child[child])
    if (!chosen[child] && below[child] > below[0] / kNotableShare) shares.push_back({child, below[child]});
  std::ranges::stable_sort(shares, std::greater<>(), &Holder::Share::bytes);
  shares.resize(std::min(shares.size(), kMostShares));
  return shares;
}

// `chosen` by number. By bytes, as of arrays and strings one may be more than all others.
Holder holder_of_chosen(const Graph& graph, const Dominators& tree, const std::vector<bool>& chosen) {
  std::vector<uint64_t> below(tree.size(), 0);  // itself included
  for (uint32_t number = tree.size() - 1; number > 0; --number) {
    if (chosen[number]) below[number] += graph.bytes(tree.nodes[number]);
    below[tree.dominators[number]] += below[number];
  }
  Holder holder{{}, 0, below[0], below[0], {}};
  const uint64_t most = holder.all / 2;
  for (uint32_t at = 0;;) {
    uint32_t largest = 0;
    holder.next = 0;
    for (uint32_t child = tree.first_child[at]; child != 0; child = tree.next_child[child]) {
      if (below[child] > most) largest = child;
      if (chosen[child]) holder.next = child;
    }
    if (largest == 0 || chosen[largest]) {
      if (at == 0) holder.shares = largest_shares(tree, below, chosen);
      return holder;
    }
    holder.chain.push_back(largest);
    holder.bytes = below[largest];
    at = largest;
  }
}

}  // namespace

Holder main_holder(const Graph& graph, const Dominators& tree, const ChosenTypes& types) {
  std::vector<bool> chosen(tree.size());
  for (uint32_t number = 1; number < tree.size(); ++number)
    chosen[number] = tree.is_object(number) && types[graph.types[tree.nodes[number]]];
  return holder_of_chosen(graph, tree, chosen);
}

Holder main_holder(const Graph& graph, const Dominators& tree, std::span<const uint32_t> objects) {
  std::vector<bool> chosen(tree.size());
  for (const uint32_t object : objects) chosen[tree.numbers[object]] = true;
  chosen[0] = false;  // of those that nothing reaches
  return holder_of_chosen(graph, tree, chosen);
}

bool find_place(const Graph& graph, uint32_t object, uint32_t target, uint8_t& place) {
  for (uint32_t edge = graph.first_edge[object]; edge < graph.first_edge[object + 1]; ++edge) {
    if (graph.targets[edge] != target) continue;
    place = graph.places[edge];
    return true;
  }
  return false;
}

}  // namespace oriel::heap
