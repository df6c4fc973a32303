// A snapshot of the heap as files of other viewers have it: a tree of roots, and below it the objects that they keep
// alive. Garbage that is not collected yet is left out, as reports count it apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exports/export.h"
#include "heap/graph.h"

namespace oriel::exports {

// What exports of snapshots take.
struct HeapExportOptions : Options {
  std::string snapshot;  // its number; "": the last
};
inline constexpr Option kHeapExportOptions[] = {own_option<Options, &HeapExportOptions::snapshot>(
    "--snapshot", "N", "The snapshot of the heap with that number instead of the last")};

// A node above objects: all roots, those of one kind, or a group of these.
struct HeapRootNode {
  std::string bracketed;        // as dotnet-gcdump calls it: "[static var Shop.Cache.Orders]"
  std::string text;             // as reports call it: "static Shop.Cache.Orders"
  std::vector<uint32_t> nodes;  // numbers of the nodes below it: of roots, then of objects
};

struct HeapView {
  uint32_t row = 0;                     // of the snapshot in Profile::heap_snapshots
  heap::Graph graph;                    // with addresses if asked for
  std::vector<std::string> type_names;  // by type of the graph
  std::vector<std::string> modules;     // likewise: the file that defines it, "" if not known
  std::vector<HeapRootNode> roots;      // nodes 0 and on: all roots, then each after the one above it
  std::vector<uint32_t> numbers;        // by object: its node, after those of roots; 0 if nothing keeps it alive
  uint64_t nodes = 0, edges = 0;        // of roots and objects
  uint64_t bytes = 0;                   // of objects

  bool is_kept(uint32_t object) const { return numbers[object] != 0; }
};

// An error if the log has no such snapshot, or it cannot be read.
Result<HeapView> view_heap(const profile::Profile& profile, const HeapExportOptions& options,
                           heap::Addresses addresses);

}  // namespace oriel::exports
