#include "heap/root_order.h"

#include <algorithm>
#include <set>
#include <utility>

namespace oriel::heap {

std::vector<OrderedRoots> order_roots(const Graph& graph, const log::HeapRootGroups& groups) {
  std::vector<OrderedRoots> all(groups.groups.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = {i, log::strength_of(groups.groups[i].kind), {}};
  std::set<std::pair<log::HeapRootStrength, uint64_t>> known;
  for (size_t i = 0; i < graph.snapshot.roots.size(); ++i) {
    const uint64_t object = graph.snapshot.roots[i].object;
    OrderedRoots& roots = all[groups.group_of[i]];
    if (object < graph.objects() && known.emplace(roots.strength, object).second)
      roots.objects.push_back(static_cast<uint32_t>(object));
  }
  std::erase_if(all, [](const OrderedRoots& roots) {
    return roots.strength == log::HeapRootStrength::kKeepsNothing || roots.objects.empty();
  });
  std::ranges::stable_sort(all, {}, &OrderedRoots::strength);
  return all;
}

}  // namespace oriel::heap
