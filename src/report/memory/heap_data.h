// What the heap report says about snapshots: which ones, types over time, the graph of the last.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heap/dominators.h"
#include "heap/graph.h"
#include "heap/holders.h"
#include "report/report.h"

namespace oriel::report {

struct HeapOptions : Options {
  std::string type;      // a type's name, or a part of it
  std::string snapshot;  // number of the snapshot; "": the last
  std::string since;     // of that with which it is compared; "": the first
  bool dominators = false;
  bool diff = false;
  bool findings = false;
  bool types_only = false;  // without reading references
  bool alive = false;       // sampled objects that are still alive, as a tree
  std::string survived;     // how many full collections these survived at least; "": 1

  bool about_snapshots() const {
    return !type.empty() || !snapshot.empty() || !since.empty() || dominators || diff || types_only || findings;
  }
};

// Snapshots of one process, as indexes into Profile::heap_snapshots: those from `since` to the chosen one. It may have
// several files. To compare other files, the last snapshot of each.
struct ChosenSnapshots {
  std::vector<uint32_t> rows;
  uint32_t last() const { return rows.back(); }
};
// An error if there are none of these numbers, or several.
Result<ChosenSnapshots> choose_snapshots(const profile::Profile& profile, const HeapOptions& options);

// Objects of one name in each chosen snapshot, and what the last one's graph says of them.
struct TypeOverTime {
  std::string name;
  std::vector<uint64_t> objects, bytes;  // garbage included
  heap::TypeFigures last;                // without a graph: the counts of the last snapshot
  std::vector<uint32_t> indexes;         // into the graph's types
  // Bytes of reachable objects by which they grew at least: what was garbage in the first snapshot counts for it.
  int64_t grown_bytes() const { return static_cast<int64_t>(last.bytes) - static_cast<int64_t>(bytes.front()); }
  int64_t grown_objects() const { return static_cast<int64_t>(last.objects) - static_cast<int64_t>(objects.front()); }
};

struct HeapData {
  ChosenSnapshots snapshots;
  std::vector<TypeOverTime> types;  // by what they retain, or by bytes; descending
  // Of the last snapshot, unless only types are wanted or it cannot be read: then `problem` says why.
  struct Loaded {
    heap::Graph graph;
    heap::Dominators tree;
    std::vector<heap::TypeFigures> figures;
    std::vector<uint32_t> names;  // by type of the graph: index into HeapData::types
    uint32_t first_root = 0;      // row of the first group of roots in Profile::heap_roots
  };
  std::optional<Loaded> loaded;
  std::string problem;

  const std::string& type_name(uint32_t object) const { return types[loaded->names[loaded->graph.types[object]]].name; }
  const profile::HeapSnapshot& snapshot(const profile::Profile& profile, size_t at) const {
    return profile.heap_snapshots[snapshots.rows[at]];
  }
  const profile::HeapSnapshot& last(const profile::Profile& profile) const {
    return profile.heap_snapshots[snapshots.last()];
  }
  // Of the last snapshot's graph: the types of that name.
  heap::ChosenTypes chosen(const TypeOverTime& type) const;
};
// How much of the last snapshot is read: the counts of types, its graph, the addresses of its objects too.
enum class HeapParts : uint8_t { kTypes, kGraph, kAddresses };
HeapParts parts_for(const HeapOptions& options);
HeapData read_heap(const profile::Profile& profile, const ChosenSnapshots& chosen, HeapParts parts);

// The file with a snapshot, a row of Profile::heap_snapshots.
const std::string& file_of_snapshot(uint32_t row, const profile::Profile& profile);
// The row of its first group of roots in Profile::heap_roots; the others follow.
uint32_t first_root_of_snapshot(uint32_t row, const profile::Profile& profile);
// By type of its graph: the function that stands for the type, 0 if its class is not known.
std::vector<uint32_t> functions_of_types(const heap::Graph& graph, uint32_t row, const profile::Profile& profile);
// What such a function is called.
std::string heap_type_name(uint32_t function, const profile::Profile& profile);

// "snapshot 3"; where there are several files, or one is another tool's, with the file.
std::string snapshot_name(const HeapData& data, size_t at, const profile::Profile& profile);
// "snapshot 3, at 2 min 00 s (interval)".
std::string snapshot_text(const HeapData& data, size_t at, const profile::Profile& profile);

// Whose heap it is, where the logs have snapshots of several processes; "" if they do not.
std::string other_heaps_sentence(const HeapData& data, const profile::Profile& profile);
// Whether the first and the last chosen snapshot are known to be of one process.
bool are_of_one_process(const HeapData& data, const profile::Profile& profile);
// Nanoseconds from the first to the last chosen snapshot.
int64_t time_between(const HeapData& data, const profile::Profile& profile);
// A growth in that time as one a minute.
double per_minute(int64_t growth, int64_t ns);

// "static Shop.Cache.Orders"; "a local variable of Shop.Program.Main() on thread main".
std::string root_text(const profile::HeapRoots& roots, const profile::Profile& profile);
// Of a group of roots of the last snapshot.
std::string root_text(const HeapData& data, uint32_t root, const profile::Profile& profile);
// Of a node in the tree of dominators.
std::string node_text(const HeapData& data, uint32_t number, const profile::Profile& profile);
// A type and a place of it: "Shop.Cart._lines", "Shop.Line[]", "Entry[].value".
std::string with_place(const std::string& type, const std::string& place);

// What holds most objects of the type, step by step: "static Shop.Cache.Orders", "Dictionary<int, Order>._entries",
// "Entry[].value".
struct HolderText {
  std::vector<std::string> steps;                             // empty if nothing holds most of them
  std::vector<std::string> types;                             // of the steps' objects
  uint64_t retained = 0;                                      // by the last step
  uint64_t bytes = 0, all = 0;                                // of the objects: what it holds, and what is reachable
  std::vector<std::pair<std::string, uint64_t>> shares = {};  // if nothing holds most: what holds parts, and bytes
};
HolderText holder_text(const HeapData& data, const heap::Holder& holder, const profile::Profile& profile);

// How the heap grew, as far as snapshots tell.
enum class HeapTrend {
  kOne,      // there is one snapshot
  kGrew,     // between two; or it stopped
  kGoesOn,   // in each third of the time
  kStarts,   // likewise, but the time is too short to tell
  kNothing,  // no type grew by a notable amount
};
struct HeapVerdict {
  HeapTrend trend = HeapTrend::kNothing;
  const TypeOverTime* type = nullptr;  // that retains most, of those that grew; of one snapshot, of all. May be null.
  heap::Holder holder = {};            // of the type, if the graph is there
};
// Bytes by which a type must have grown to be named.
uint64_t notable_growth(const HeapData& data, const profile::Profile& profile);
HeapVerdict verdict_of(const HeapData& data, const profile::Profile& profile);

}  // namespace oriel::report
