// Questions about the collector's work: finalizers to be run, pinned objects.
#include <utility>

#include "heap/questions.h"

namespace oriel::heap {

// The collector's list of objects with finalizers may have been taken for native memory that refers to them.
Finding waiting_finalizers(const Graph& graph, const Dominators&) {
  std::vector<bool> has_finalizer(graph.snapshot.types.size());
  for (uint32_t type = 0; type < has_finalizer.size(); ++type)
    has_finalizer[type] = graph.has_value(type, log::HeapValueKind::kFinalized);
  std::vector<bool> in_use(graph.objects());
  for (const uint32_t target : graph.targets) in_use[target] = true;
  for (const log::HeapRoot& root : graph.snapshot.roots)
    if (log::strength_of(static_cast<log::HeapRootKind>(root.kind)) < log::HeapRootStrength::kFinalizer &&
        root.object < graph.objects())
      in_use[root.object] = true;
  std::vector<FoundObject> found;
  for (uint32_t object = 0; object < graph.objects(); ++object)
    if (has_finalizer[graph.types[object]] && !in_use[object] &&
        graph.value(object, log::HeapValueKind::kFinalized) == 0)
      found.push_back({graph.types[object], object, graph.bytes(object)});
  return grouped(graph, Question::kFinalizers, std::move(found));
}

Finding pinned_objects(const Graph& graph, const Dominators&) {
  std::vector<FoundObject> found;
  std::vector<bool> known(graph.objects());
  for (const log::HeapRoot& root : graph.snapshot.roots) {
    if (root.kind != static_cast<uint64_t>(log::HeapRootKind::kPinnedHandle) || root.object >= graph.objects() ||
        known[root.object])
      continue;
    known[root.object] = true;
    const auto object = static_cast<uint32_t>(root.object);
    found.push_back({graph.types[object], object, graph.bytes(object)});
  }
  return grouped(graph, Question::kPinned, std::move(found));
}

}  // namespace oriel::heap
