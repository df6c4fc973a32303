// Collections of which at most half of the places are in use. One that has grown by itself has more: it doubles when it
// is full.
#include <algorithm>
#include <utility>

#include "heap/questions.h"

namespace oriel::heap {

Finding half_empty_collections(const Graph& graph, const Dominators& tree) {
  std::vector<FoundObject> found;
  for (uint32_t object = 0; object < graph.objects(); ++object) {
    const uint32_t details = graph.details_of[graph.types[object]];
    if (details == Graph::kNoDetails || !is_reached(tree, object)) continue;
    const uint64_t place = graph.details.types[details].storage;
    if (place == 0) continue;
    const uint32_t storage =
        reference_by(graph, object, [place](const log::HeapSlot& slot) { return slot.place == place; });
    // An array that others hold too, such as an empty one that all share, is not the collection's.
    if (storage == graph.objects() || dominator_of(tree, storage) != object) continue;
    const log::HeapType& array = graph.type(storage);
    if (array.element_size == 0 || graph.bytes(storage) < array.base_size) continue;
    const uint64_t places = (graph.bytes(storage) - array.base_size) / array.element_size;
    const int64_t used =
        graph.value(object, log::HeapValueKind::kCount) - graph.value(object, log::HeapValueKind::kFree);
    if (used < 0 || static_cast<uint64_t>(used) * 2 > places || places == 0) continue;
    found.push_back({graph.types[object], object, (places - static_cast<uint64_t>(used)) * array.element_size});
  }
  return grouped(graph, Question::kCollections, std::move(found));
}

}  // namespace oriel::heap
