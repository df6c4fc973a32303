// Questions that a type's kind answers: boxes, closures, async methods that wait.
#include <algorithm>
#include <utility>

#include "heap/questions.h"

namespace oriel::heap {
namespace {

template <typename Visit>
void for_each_of(const Graph& graph, const Dominators& tree, log::HeapTypeKind kind, Visit visit) {
  const auto is_of_kind = [&](const log::HeapTypeDetails& type) { return type.kind == static_cast<uint64_t>(kind); };
  if (std::ranges::none_of(graph.details.types, is_of_kind)) return;
  for (uint32_t object = 0; object < graph.objects(); ++object)
    if (graph.kind(graph.types[object]) == kind && is_reached(tree, object)) visit(object);
}

}  // namespace

Finding boxes(const Graph& graph, const Dominators& tree) {
  std::vector<FoundObject> found;
  for_each_of(graph, tree, log::HeapTypeKind::kBox, [&](uint32_t object) {
    found.push_back({graph.types[object], object, graph.bytes(object)});
  });
  return grouped(graph, Question::kBoxes, std::move(found));
}

// One for the whole run, of lambdas that share nothing, is none.
Finding closures(const Graph& graph, const Dominators& tree) {
  std::vector<FoundObject> found;
  for_each_of(graph, tree, log::HeapTypeKind::kClosure, [&](uint32_t object) {
    if (graph.type(object).objects == 1 && graph.references(object).empty()) return;
    found.push_back({graph.types[object], object, tree.retained[tree.numbers[object]]});
  });
  return with_retained(graph, tree, Question::kClosures, std::move(found));
}

Finding waiting_async_methods(const Graph& graph, const Dominators& tree) {
  std::vector<FoundObject> found;
  for_each_of(graph, tree, log::HeapTypeKind::kAsync, [&](uint32_t object) {
    if (graph.value(object, log::HeapValueKind::kTaskFlags) != 0) return;
    AsyncKey key{graph.types[object], 0};
    if (graph.has_value(key.type, log::HeapValueKind::kAwait))
      key.await = static_cast<uint32_t>(graph.value(object, log::HeapValueKind::kAwait) + 1);
    found.push_back({key.packed(), object, tree.retained[tree.numbers[object]]});
  });
  return with_retained(graph, tree, Question::kAsync, std::move(found));
}

}  // namespace oriel::heap
