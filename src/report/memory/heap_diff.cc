// What changed between two snapshots: by type, and which objects are still there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <unordered_map>

#include "heap/same_objects.h"
#include "log/heap_records.h"
#include "report/memory/heap_snapshots.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using heap::ObjectSum;
using heap::PlacedObject;
using profile::Profile;

namespace {

constexpr size_t kDiffRows = 30;

// By index into HeapData::types.
struct StillThere {
  std::vector<ObjectSum> from_first;   // objects of the first snapshot that are in the last one
  std::vector<ObjectSum> from_middle;  // those that the middle snapshot has, the first has not and the last has
  size_t middle = 0;                   // index into the chosen snapshots; 0: there are but two
  std::string problem;                 // why nothing is known
};

Result<std::vector<PlacedObject>> objects_of(const HeapData& data, size_t at, const Profile& profile) {
  std::unordered_map<std::string_view, uint32_t> by_name;
  for (uint32_t i = 0; i < data.types.size(); ++i) by_name.emplace(data.types[i].name, i);
  const uint32_t row = data.snapshots.rows[at];
  const Result<heap::Graph> graph =
      heap::load_graph(file_of_snapshot(row, profile), profile.heap_snapshots[row].number, heap::Addresses::kOnly);
  if (!graph) return graph.status();
  std::vector<uint32_t> names;  // by type of the graph
  for (const uint32_t function : functions_of_types(*graph, row, profile)) {
    const auto name = by_name.find(heap_type_name(function, profile));
    names.push_back(name == by_name.end() ? UINT32_MAX : name->second);
  }
  std::vector<PlacedObject> objects(graph->objects());
  for (uint32_t i = 0; i < graph->objects(); ++i)
    objects[i] = {graph->addresses[i], names[graph->types[i]], graph->words[i]};
  std::ranges::sort(objects, {}, &PlacedObject::address);
  return objects;
}

// Those of the last snapshot that something keeps alive.
std::vector<PlacedObject> objects_in_use(const HeapData& data) {
  const heap::Graph& graph = data.loaded->graph;
  std::vector<PlacedObject> objects;
  for (uint32_t i = 0; i < graph.objects(); ++i)
    if (data.loaded->tree.numbers[i] != 0)
      objects.push_back({graph.addresses[i], data.loaded->names[graph.types[i]], graph.words[i]});
  std::ranges::sort(objects, {}, &PlacedObject::address);
  return objects;
}

Status compare(const HeapData& data, const Profile& profile, StillThere& still) {
  const size_t last = data.snapshots.rows.size() - 1;
  Result<std::vector<PlacedObject>> first = objects_of(data, 0, profile);
  if (!first) return first.status();
  std::vector<PlacedObject> made;
  if (last >= 2) {
    still.middle = last / 2;
    const Result<std::vector<PlacedObject>> middle = objects_of(data, still.middle, profile);
    if (!middle) return middle.status();
    made = heap::new_objects(*first, *middle);
  }
  const std::vector<PlacedObject> now = objects_in_use(data);
  still.from_first = heap::same_objects(*first, now, data.types.size());
  still.from_middle = heap::same_objects(made, now, data.types.size());
  return Status::ok();
}

StillThere still_there(const HeapData& data, const Profile& profile) {
  StillThere still;
  // Addresses mean something within a process only.
  if (!data.loaded || !are_of_one_process(data, profile)) return still;
  try {
    const Status status = compare(data, profile, still);
    if (!status) still.problem = "Which objects are still there is not known: " + status.message() + ".";
  } catch (const std::bad_alloc&) {
    still = {};
    still.problem = "There is too little memory to tell which objects are still there.";
  }
  return still;
}

std::vector<size_t> changed_types(const HeapData& data) {
  std::vector<size_t> types;
  for (size_t i = 0; i < data.types.size(); ++i)
    if (data.types[i].grown_bytes() != 0 || data.types[i].grown_objects() != 0) types.push_back(i);
  std::ranges::stable_sort(types, std::greater<>(), [&](size_t i) { return std::abs(data.types[i].grown_bytes()); });
  return types;
}

void write_changes(const HeapData& data, const StillThere& still, const Options& options, std::ostream& out) {
  const std::vector<size_t> types = changed_types(data);
  if (types.empty()) return write_note("No type has more or fewer objects.", options, out);
  const bool knows = !still.from_first.empty();
  std::vector<Table::Column> columns = {{"bytes"}, {"now"}, {"objects"}, {"now"}};
  if (knows) columns.push_back({"still"});
  columns.push_back({"", Table::Align::kLeft});
  Table table(std::move(columns), "type");
  const size_t shown = std::min(types.size(), rows(options, kDiffRows));
  for (size_t i = 0; i < shown; ++i) {
    const TypeOverTime& type = data.types[types[i]];
    std::vector<std::string> cells = {signed_bytes(static_cast<double>(type.grown_bytes())), bytes(type.last.bytes),
                                      signed_count(static_cast<double>(type.grown_objects())),
                                      count(type.last.objects)};
    if (knows) cells.push_back(count(still.from_first[types[i]].objects));
    cells.emplace_back(type.objects.front() == 0 ? "new" : type.last.objects == 0 ? "gone" : "");
    table.add(std::move(cells), [&](size_t width) { return fit_name(type.name, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, types.size());
}

// By bytes, descending.
std::vector<size_t> stayed_types(const StillThere& still) {
  std::vector<size_t> types;
  for (size_t i = 0; i < still.from_middle.size(); ++i)
    if (still.from_middle[i].objects != 0) types.push_back(i);
  std::ranges::stable_sort(types, std::greater<>(), [&](size_t i) { return still.from_middle[i].bytes; });
  return types;
}

void write_stayed(const HeapData& data, const StillThere& still, const Profile& profile, const Options& options,
                  std::ostream& out) {
  constexpr size_t kRows = 10;
  out << '\n';
  write_note(fmt::format("Made between {} and {}, and still there in {}:", snapshot_name(data, 0, profile),
                         snapshot_name(data, still.middle, profile),
                         snapshot_name(data, data.snapshots.rows.size() - 1, profile)),
             options, out);
  const std::vector<size_t> types = stayed_types(still);
  if (types.empty()) return write_note("none that can be recognized.", options, out);
  Table table({{"bytes"}, {"objects"}}, "type");
  const size_t shown = std::min(types.size(), rows(options, kRows));
  for (size_t i = 0; i < shown; ++i)
    table.add({bytes(still.from_middle[types[i]].bytes), count(still.from_middle[types[i]].objects)},
              [&type = data.types[types[i]]](size_t width) { return fit_name(type.name, width); });
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, types.size());
}

Json sum_json(const ObjectSum& sum) { return {{"objects", sum.objects}, {"bytes", sum.bytes}}; }

}  // namespace

void write_heap_diff(const HeapData& data, const Profile& profile, const HeapOptions& options, std::ostream& out) {
  const size_t last = data.snapshots.rows.size() - 1;
  write_note(
      fmt::format("From {} to {}; garbage that was not collected yet is counted{}.", snapshot_text(data, 0, profile),
                  snapshot_text(data, last, profile), data.loaded ? " in the first only" : ""),
      options, out);
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  const StillThere still = still_there(data, profile);
  if (!still.problem.empty()) write_note(clean(still.problem), options, out);
  out << '\n';
  write_changes(data, still, options, out);
  if (still.middle != 0 && still.problem.empty()) write_stayed(data, still, profile, options, out);
  if (still.from_first.empty()) return;
  out << '\n';
  write_note(
      "still: objects of the first snapshot that are still there, at least. Objects are recognized by their addresses, "
      "so those that a collection moved are not counted.",
      options, out);
}

Json heap_diff_json(const HeapData& data, const Profile& profile, const HeapOptions& options) {
  const StillThere still = still_there(data, profile);
  Json json = {{"types", Json::array()}};
  if (still.middle != 0) json["middle"] = data.snapshot(profile, still.middle).number;
  if (!still.problem.empty()) json["problem"] = still.problem;
  for (size_t i = 0; i < data.types.size(); ++i) {
    const TypeOverTime& type = data.types[i];
    Json row = {{"type", type.name}, {"grown_objects", type.grown_objects()}, {"grown_bytes", type.grown_bytes()}};
    if (!still.from_first.empty()) row["still_there"] = sum_json(still.from_first[i]);
    if (still.middle != 0 && !still.from_middle.empty()) row["made_and_still_there"] = sum_json(still.from_middle[i]);
    json["types"].push_back(std::move(row));
    if (json["types"].size() == rows(options, SIZE_MAX)) break;
  }
  return json;
}

}  // namespace oriel::report
