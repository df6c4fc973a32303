// Strings and arrays with equal contents, and arrays of zeros.
#include <utility>

#include "heap/questions.h"

namespace oriel::heap {
namespace {

// A string's base size is no array's: its characters follow its length at once, and there is a zero behind them.
bool is_string(const log::HeapType& type) { return type.base_size == 22 && type.element_size == 2; }

}  // namespace

std::vector<Finding> equal_contents(const Graph& graph, const Dominators& tree) {
  constexpr int64_t kZeros = 1;
  std::vector<FoundObject> strings, arrays, zeros;
  for (const ObjectValue& value : graph.values) {
    if (value.kind != log::HeapValueKind::kContents || !is_reached(tree, value.object)) continue;
    const uint32_t type = graph.types[value.object];
    const bool of_string = is_string(graph.snapshot.types[type]);
    if (value.value == kZeros) {
      if (!of_string) zeros.push_back({type, value.object, graph.bytes(value.object)});
      continue;
    }
    const uint64_t key = uint64_t{type} << 40 | (static_cast<uint64_t>(value.value) & ((uint64_t{1} << 40) - 1));
    (of_string ? strings : arrays).push_back({key, value.object, graph.bytes(value.object)});
  }
  std::vector<Finding> all;
  all.push_back(all_but_one(graph, Question::kStrings, std::move(strings)));
  all.push_back(all_but_one(graph, Question::kArrays, std::move(arrays)));
  all.push_back(grouped(graph, Question::kZeros, std::move(zeros)));
  return all;
}

}  // namespace oriel::heap
