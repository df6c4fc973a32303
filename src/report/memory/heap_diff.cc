// What changed between two snapshots: by type, and which objects are still there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <unordered_map>

#include "heap/reach.h"
#include "heap/same_objects.h"
#include "log/heap_roots.h"
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
  std::vector<ObjectSum> first;        // what is alive in the first snapshot; empty: not known
  std::vector<ObjectSum> from_first;   // of these, what is in the last one; empty: not known
  std::vector<ObjectSum> from_middle;  // those that the middle snapshot has, the first has not and the last has
  size_t middle = 0;                   // index into the chosen snapshots; 0: there are but two
  std::string problem;                 // why something is not known

  int64_t grown_objects(const TypeOverTime& type, size_t index) const {
    return first.empty() ? type.grown_objects() : difference(type.last.objects, first[index].objects);
  }
  int64_t grown_bytes(const TypeOverTime& type, size_t index) const {
    return first.empty() ? type.grown_bytes() : difference(type.last.bytes, first[index].bytes);
  }

 private:
  static int64_t difference(uint64_t now, uint64_t then) {
    return static_cast<int64_t>(now) - static_cast<int64_t>(then);
  }
};

// By rising address, without garbage that is not collected yet.
std::vector<PlacedObject> objects_in_use(const heap::Graph& graph, const std::vector<uint32_t>& names,
                                         const std::vector<bool>& reached) {
  std::vector<PlacedObject> objects;
  for (uint32_t i = 0; i < graph.objects(); ++i)
    if (reached[i]) objects.push_back({graph.addresses[i], names[graph.types[i]], graph.words[i]});
  std::ranges::sort(objects, {}, &PlacedObject::address);
  return objects;
}

Result<std::vector<PlacedObject>> objects_of(const HeapData& data, size_t at, const Profile& profile) {
  std::unordered_map<std::string_view, uint32_t> by_name;
  for (uint32_t i = 0; i < data.types.size(); ++i) by_name.emplace(data.types[i].name, i);
  const uint32_t row = data.snapshots.rows[at];
  const Result<heap::Graph> graph =
      heap::load_graph(file_of_snapshot(row, profile), profile.heap_snapshots[row].number, heap::Addresses::kRead);
  if (!graph) return graph.status();
  std::vector<uint32_t> names;  // by type of the graph
  for (const uint32_t function : functions_of_types(*graph, row, profile)) {
    const auto name = by_name.find(heap_type_name(function, profile));
    names.push_back(name == by_name.end() ? UINT32_MAX : name->second);
  }
  const auto roots = heap::order_roots(*graph, log::group_roots(graph->snapshot.roots));
  return objects_in_use(*graph, names, heap::reached_objects(*graph, roots));
}

std::vector<PlacedObject> objects_of_last(const HeapData& data) {
  const HeapData::Loaded& last = *data.loaded;
  std::vector<bool> reached;
  for (const uint32_t number : last.tree.numbers) reached.push_back(number != 0);
  return objects_in_use(last.graph, last.names, reached);
}

uint64_t objects_in(const std::vector<ObjectSum>& sums) {
  uint64_t objects = 0;
  for (const ObjectSum& sum : sums) objects += sum.objects;
  return objects;
}

Status compare(const HeapData& data, const Profile& profile, StillThere& still) {
  const size_t last = data.snapshots.rows.size() - 1, types = data.types.size();
  const Result<std::vector<PlacedObject>> first = objects_of(data, 0, profile);
  if (!first) return first.status();
  still.first = heap::same_objects(*first, *first, types);
  if (!are_of_one_process(data, profile)) return Status::ok();  // addresses mean something within a process only
  const std::vector<PlacedObject> now = objects_of_last(data);
  std::vector<ObjectSum> from_first = heap::same_objects(*first, now, types);
  if (objects_in(from_first) < objects_in(still.first) / 2)
    return Status::error("a collection moved most of them, or they are gone");
  still.from_first = std::move(from_first);
  if (last < 2) return Status::ok();
  const Result<std::vector<PlacedObject>> middle = objects_of(data, last / 2, profile);
  if (!middle) return middle.status();
  still.middle = last / 2;
  still.from_middle = heap::same_objects(heap::new_objects(*first, *middle), now, types);
  return Status::ok();
}

StillThere still_there(const HeapData& data, const Profile& profile) {
  StillThere still;
  if (!data.loaded) return still;
  try {
    const Status status = compare(data, profile, still);
    if (!status) still.problem = "Which objects are still there is not known: " + status.message() + ".";
  } catch (const std::bad_alloc&) {
    still = {};
    still.problem = "There is too little memory to tell which objects are still there.";
  }
  return still;
}

std::vector<size_t> changed_types(const HeapData& data, const StillThere& still) {
  std::vector<size_t> types;
  const auto grown = [&](size_t i) { return still.grown_bytes(data.types[i], i); };
  for (size_t i = 0; i < data.types.size(); ++i)
    if (grown(i) != 0 || still.grown_objects(data.types[i], i) != 0) types.push_back(i);
  std::ranges::stable_sort(types, std::greater<>(), [&](size_t i) { return std::abs(grown(i)); });
  return types;
}

void write_changes(const HeapData& data, const StillThere& still, const Options& options, std::ostream& out) {
  const std::vector<size_t> types = changed_types(data, still);
  if (types.empty()) return write_note("No type has more or fewer objects.", options, out);
  const bool knows = !still.from_first.empty();
  std::vector<Table::Column> columns = {{"bytes"}, {"now"}, {"objects"}, {"now"}};
  if (knows) columns.push_back({"still"});
  columns.push_back({"", Table::Align::kLeft});
  Table table(std::move(columns), "type");
  const size_t shown = std::min(types.size(), rows(options, kDiffRows));
  for (size_t i = 0; i < shown; ++i) {
    const TypeOverTime& type = data.types[types[i]];
    std::vector<std::string> cells = {
        signed_bytes(static_cast<double>(still.grown_bytes(type, types[i]))), bytes(type.last.bytes),
        signed_count(static_cast<double>(still.grown_objects(type, types[i]))), count(type.last.objects)};
    if (knows) cells.push_back(count(still.from_first[types[i]].objects));
    const bool is_new =
        type.last.objects != 0 && still.grown_objects(type, types[i]) == static_cast<int64_t>(type.last.objects);
    cells.emplace_back(is_new ? "new" : type.last.objects == 0 ? "gone" : "");
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
  write_note(fmt::format("From {} to {}.", snapshot_text(data, 0, profile), snapshot_text(data, last, profile)),
             options, out);
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  const StillThere still = still_there(data, profile);
  if (still.first.empty())
    write_note(fmt::format("Garbage that was not collected yet is counted{}.", data.loaded ? " in the first only" : ""),
               options, out);
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
    Json row = {{"type", type.name},
                {"grown_objects", still.grown_objects(type, i)},
                {"grown_bytes", still.grown_bytes(type, i)}};
    if (!still.from_first.empty()) row["still_there"] = sum_json(still.from_first[i]);
    if (still.middle != 0 && !still.from_middle.empty()) row["made_and_still_there"] = sum_json(still.from_middle[i]);
    json["types"].push_back(std::move(row));
    if (json["types"].size() == rows(options, SIZE_MAX)) break;
  }
  return json;
}

}  // namespace oriel::report
