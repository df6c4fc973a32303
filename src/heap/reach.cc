#include "heap/reach.h"

namespace oriel::heap {

std::vector<bool> reached_objects(const Graph& graph, const std::vector<OrderedRoots>& roots) {
  std::vector<bool> reached(graph.objects());
  std::vector<uint32_t> to_follow;
  const auto reach = [&](uint32_t object) {
    if (reached[object]) return;
    reached[object] = true;
    to_follow.push_back(object);
  };
  for (const OrderedRoots& group : roots) {
    for (const uint32_t object : group.objects) reach(object);
    while (!to_follow.empty()) {
      const uint32_t object = to_follow.back();
      to_follow.pop_back();
      for (const uint32_t target : graph.references(object)) reach(target);
    }
  }
  return reached;
}

}  // namespace oriel::heap
