// Objects that only an event holds: a delegate with several handlers has an array of delegates, each with its target.
#include <algorithm>
#include <utility>

#include "heap/holders.h"
#include "heap/questions.h"

namespace oriel::heap {
namespace {

class Events {
 public:
  Events(const Graph& graph, const Dominators& tree) : graph_(graph), tree_(tree) {}

  void add(uint32_t event) {
    const uint32_t list = reference_at(graph_, event, "_invocationList");
    if (list == graph_.objects() || dominator_of(tree_, list) != event) return;
    for (const uint32_t handler : graph_.references(list)) {
      if (graph_.kind(graph_.types[handler]) != log::HeapTypeKind::kDelegate || dominator_of(tree_, handler) != list)
        continue;
      const uint32_t target = reference_at(graph_, handler, "_target");
      if (target != graph_.objects() && target != handler && dominator_of(tree_, target) == handler)
        found_.push_back({key_of(event), target, tree_.retained[tree_.numbers[target]]});
    }
  }
  std::vector<FoundObject> take() { return std::move(found_); }

 private:
  uint64_t key_of(uint32_t event) const {
    const uint32_t above = tree_.dominators[tree_.numbers[event]];
    if (tree_.is_root(above)) return HandlerKey{tree_.root(above), 0, 0}.packed();
    if (!tree_.is_object(above)) return HandlerKey{HandlerKey::kNoRoot, UINT32_MAX, 0}.packed();
    HandlerKey key{HandlerKey::kNoRoot, graph_.types[tree_.nodes[above]], Graph::kManyPlaces};
    find_place(graph_, tree_.nodes[above], event, key.place);
    return key.packed();
  }

  const Graph& graph_;
  const Dominators& tree_;
  std::vector<FoundObject> found_;
};

}  // namespace

Finding event_handlers(const Graph& graph, const Dominators& tree) {
  Events events(graph, tree);
  for (uint32_t object = 0; object < graph.objects(); ++object)
    if (graph.kind(graph.types[object]) == log::HeapTypeKind::kDelegate && is_reached(tree, object)) events.add(object);
  return with_retained(graph, tree, Question::kHandlers, events.take());
}

}  // namespace oriel::heap
