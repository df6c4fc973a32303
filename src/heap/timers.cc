// Timers that are set, by what their callback is called with.
#include <algorithm>
#include <utility>

#include "heap/questions.h"

namespace oriel::heap {
Finding set_timers(const Graph& graph, const Dominators& tree) {
  std::vector<bool> of_timers(graph.snapshot.types.size());
  for (uint32_t type = 0; type < of_timers.size(); ++type)
    of_timers[type] = graph.has_value(type, log::HeapValueKind::kDue);
  if (std::ranges::find(of_timers, true) == of_timers.end()) return {Question::kTimers, 0, {}, {}};
  const auto type_of = [&](uint32_t object) {
    return object == graph.objects() ? TimerKey::kNone : graph.types[object];
  };
  std::vector<FoundObject> found;
  for (uint32_t object = 0; object < graph.objects(); ++object) {
    if (!of_timers[graph.types[object]] || !is_reached(tree, object)) continue;
    if (graph.value(object, log::HeapValueKind::kDue) == -1) continue;
    const uint32_t callback = reference_at(graph, object, "_timerCallback");
    const uint32_t state = reference_at(graph, object, "_state");
    const uint32_t target = callback == graph.objects() ? callback : reference_at(graph, callback, "_target");
    uint64_t bytes = graph.bytes(object);
    for (const uint32_t held : {callback, state})
      if (held != graph.objects() && dominator_of(tree, held) == object) bytes += tree.retained[tree.numbers[held]];
    found.push_back({TimerKey{type_of(target), type_of(state)}.packed(), object, bytes});
  }
  return grouped(graph, Question::kTimers, std::move(found));
}

}  // namespace oriel::heap
