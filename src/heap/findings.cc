#include "heap/findings.h"

#include <algorithm>
#include <unordered_map>

#include "heap/outermost.h"
#include "heap/questions.h"

namespace oriel::heap {
namespace {

void sort_by_bytes(Finding& finding) {
  std::ranges::stable_sort(finding.rows, std::greater<>(), &FindingRow::bytes);
  std::vector<uint32_t> members;
  members.reserve(finding.members.size());
  for (FindingRow& row : finding.rows) {
    const std::span<const uint32_t> its = finding.of(row);
    row.first = static_cast<uint32_t>(members.size());
    members.insert(members.end(), its.begin(), its.end());
  }
  finding.members = std::move(members);
}

}  // namespace

bool is_reached(const Dominators& tree, uint32_t object) { return tree.numbers[object] != 0; }

uint32_t dominator_of(const Dominators& tree, uint32_t object) {
  return is_reached(tree, object) ? tree.nodes[tree.dominators[tree.numbers[object]]] : UINT32_MAX;
}

Finding grouped(const Graph& graph, Question question, std::vector<FoundObject> found) {
  std::ranges::sort(found, [](const FoundObject& a, const FoundObject& b) {
    return a.key != b.key ? a.key < b.key : a.object < b.object;
  });
  Finding finding{question, 0, {}, {}};
  finding.members.reserve(found.size());
  for (const FoundObject& one : found) {
    if (finding.rows.empty() || finding.rows.back().key != one.key)
      finding.rows.push_back({one.key, graph.types[one.object], static_cast<uint32_t>(finding.members.size()), 0, 0});
    finding.members.push_back(one.object);
    ++finding.rows.back().objects;
    finding.rows.back().bytes += one.bytes;
    finding.bytes += one.bytes;
  }
  sort_by_bytes(finding);
  return finding;
}

Finding all_but_one(const Graph& graph, Question question, std::vector<FoundObject> found) {
  Finding finding = grouped(graph, question, std::move(found));
  std::erase_if(finding.rows, [](const FindingRow& row) { return row.objects < 2; });
  finding.bytes = 0;
  for (FindingRow& row : finding.rows) {
    row.bytes -= row.bytes / row.objects;  // they are of one size
    finding.bytes += row.bytes;
  }
  sort_by_bytes(finding);
  return finding;
}

Finding with_retained(const Graph& graph, const Dominators& tree, Question question, std::vector<FoundObject> found) {
  Finding finding = grouped(graph, question, std::move(found));
  if (finding.rows.empty()) return finding;
  const auto rows = static_cast<uint32_t>(finding.rows.size());
  std::vector<uint32_t> row_of(tree.size(), rows);
  for (uint32_t i = 0; i < rows; ++i)
    for (const uint32_t object : finding.of(finding.rows[i])) row_of[tree.numbers[object]] = i;
  const std::vector<uint64_t> retained =
      retained_by_groups(tree, rows, [&](uint32_t number) { return row_of[number]; });
  for (uint32_t i = 0; i < rows; ++i) finding.rows[i].bytes = retained[i];
  finding.bytes = retained_by_groups(tree, 1, [&](uint32_t number) { return row_of[number] == rows ? 1 : 0; })[0];
  sort_by_bytes(finding);
  return finding;
}

uint32_t reference_at(const Graph& graph, uint32_t object, std::string_view field) {
  return reference_by(graph, object, [field](const log::HeapSlot& slot) { return slot.field == field; });
}

HandlerKey HandlerKey::of(uint64_t key) {
  return {static_cast<uint32_t>(key >> 40) - 1, static_cast<uint32_t>(key >> 8), static_cast<uint8_t>(key)};
}
uint64_t HandlerKey::packed() const { return (uint64_t{root + 1} & 0xffffff) << 40 | uint64_t{type} << 8 | place; }

std::vector<Finding> findings_of(const Graph& graph, const Dominators& tree, Asked asked) {
  struct Asking {
    Finding (*question)(const Graph&, const Dominators&);
    bool is_waste;
  };
  constexpr Asking kQuestions[] = {
      {half_empty_collections, true}, {boxes, true},     {event_handlers, true},      {set_timers, false},
      {waiting_async_methods, false}, {closures, false}, {waiting_finalizers, false}, {pinned_objects, false}};
  std::vector<Finding> all = equal_contents(graph, tree);
  for (const Asking& asking : kQuestions)
    if (asked == Asked::kAll || asking.is_waste) all.push_back(asking.question(graph, tree));
  std::erase_if(all, [](const Finding& finding) { return finding.rows.empty(); });
  return all;
}

std::vector<MainPlace> main_places(const Graph& graph, const Dominators& tree,
                                   std::span<const std::span<const uint32_t>> groups) {
  std::vector<MainPlace> places(groups.size());
  if (groups.empty()) return places;
  std::vector<uint32_t> group_of(graph.objects(), 0);  // + 1
  for (size_t i = 0; i < groups.size(); ++i)
    for (const uint32_t object : groups[i]) group_of[object] = static_cast<uint32_t>(i + 1);
  std::vector<std::unordered_map<uint64_t, uint64_t>> counts(groups.size());
  for (uint32_t object = 0; object < graph.objects(); ++object) {
    if (!is_reached(tree, object)) continue;
    for (uint32_t edge = graph.first_edge[object]; edge < graph.first_edge[object + 1]; ++edge) {
      const uint32_t group = group_of[graph.targets[edge]];
      if (group == 0) continue;
      const uint64_t key = uint64_t{graph.types[object]} << 8 | graph.places[edge];
      const uint64_t references = ++counts[group - 1][key];
      MainPlace& main = places[group - 1];
      ++main.all;
      if (references > main.references) main = {graph.types[object], graph.places[edge], references, main.all};
    }
  }
  return places;
}

std::string text_of(const Graph& graph, std::span<const uint32_t> objects) {
  for (const log::HeapText& text : graph.details.texts)
    if (text.object != 0 && std::ranges::binary_search(objects, text.object - 1)) return text.text;
  return "";
}

}  // namespace oriel::heap
