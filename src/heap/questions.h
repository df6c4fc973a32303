// For the questions themselves: what they have in common.
#pragma once

#include <vector>

#include "heap/findings.h"

namespace oriel::heap {

// An object that belongs to an answer; those with one key are a row.
struct FoundObject {
  uint64_t key = 0;
  uint32_t object = 0;
  uint64_t bytes = 0;
};

bool is_reached(const Dominators& tree, uint32_t object);
// The object's immediate dominator, if that is an object; else Dominators::objects or more.
uint32_t dominator_of(const Dominators& tree, uint32_t object);

Finding grouped(const Graph& graph, Question question, std::vector<FoundObject> found);
// Of equal objects, one is needed; those without an equal are none.
Finding all_but_one(const Graph& graph, Question question, std::vector<FoundObject> found);
// With the bytes that a row's objects retain, and all of them together.
Finding with_retained(const Graph& graph, const Dominators& tree, Question question, std::vector<FoundObject> found);

// What the object refers to by the first of its type's slots that is it; Graph::objects() if nothing.
template <typename IsIt>
uint32_t reference_by(const Graph& graph, uint32_t object, IsIt is_it) {
  const std::vector<log::HeapSlot>& slots = graph.type(object).slots;
  for (uint32_t edge = graph.first_edge[object]; edge < graph.first_edge[object + 1]; ++edge)
    if (graph.places[edge] < slots.size() && is_it(slots[graph.places[edge]])) return graph.targets[edge];
  return graph.objects();
}
// By the field of that name.
uint32_t reference_at(const Graph& graph, uint32_t object, std::string_view field);

// One file each.
std::vector<Finding> equal_contents(const Graph& graph, const Dominators& tree);  // strings, arrays, zeros
Finding half_empty_collections(const Graph& graph, const Dominators& tree);
Finding boxes(const Graph& graph, const Dominators& tree);
Finding event_handlers(const Graph& graph, const Dominators& tree);
Finding set_timers(const Graph& graph, const Dominators& tree);
Finding waiting_async_methods(const Graph& graph, const Dominators& tree);
Finding closures(const Graph& graph, const Dominators& tree);
Finding waiting_finalizers(const Graph& graph, const Dominators& tree);
Finding pinned_objects(const Graph& graph, const Dominators& tree);

}  // namespace oriel::heap
