// Any bytes may be in the chunks of a heap snapshot: what is made of them is whole, or refused with a sentence.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "heap/dominators.h"
#include "heap/findings.h"
#include "heap/graph.h"
#include "heap/paths.h"
#include "zstd_frame.h"

namespace {

using oriel::heap::Graph;

using oriel::fuzz::frame_of;

oriel::log::HeapDetails details() {
  oriel::log::HeapDetails all;
  all.snapshot = 1;
  all.types = {{1, 2, {2, 3, 8}, 9, "made"}, {2, 3, {1}, 0, ""}, {3, 4, {4, 6, 7}, 9, ""}};
  all.texts = {{1, "text"}, {1000, "none"}};
  return all;
}

// The frames are not for the fuzzer to find: the first bytes say how the rest is divided. Values are what references
// are.
oriel::Result<Graph> read(const uint8_t* data, size_t size) {
  const size_t objects = data[0], slots = data[1], roots = data[2] % 4;
  const std::span<const uint8_t> rest(data + 3, size - 3);
  const size_t cut = std::min<size_t>(data[2] * 4u, rest.size());
  const std::span<const uint8_t> streams = rest.first(cut), references = rest.subspan(cut);
  oriel::log::HeapSnapshot snapshot;
  snapshot.number = 1;
  snapshot.objects = objects;
  snapshot.types = {{1, 0, 0, 0, 24, 0, {{9, "a"}, {17, "b"}}, {}},
                    {2, 0, 0, 0, 16, 8, {}, {{1, ""}}},
                    {3, 0, 0, 0, 16, 24, {{9, "c"}}, {{1, "key"}, {9, "value"}}}};
  snapshot.spaces = {{3, 0, 1000}, {4, 2000, 1 << 20}, {9, 1, 1}};
  for (size_t i = 0; i < roots; ++i) snapshot.roots.push_back({i * 3 + 1, i * i, i, 0, 0, ""});
  return oriel::heap::graph_told(1, uint64_t{1} << 28, [&](oriel::log::EventSink& sink) {
    const std::vector<uint8_t> object_frame = frame_of(streams), slot_frame = frame_of(references);
    sink.on_heap_objects({1, 0, objects, streams.size(), object_frame});
    sink.on_heap_references({1, 0, slots, references.size(), slot_frame});
    sink.on_heap_values({1, 0, slots, references.size(), slot_frame});
    sink.on_heap_details(details());
    sink.on_heap(snapshot);
    return oriel::Status::ok();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const oriel::Result<Graph> graph = read(data, size);
  if (!graph) {
    if (graph.message().empty()) std::abort();
    return 0;
  }
  for (const uint32_t target : graph->targets)
    if (target >= graph->objects()) std::abort();
  const oriel::heap::Dominators tree = oriel::heap::dominators_of(*graph);
  for (uint32_t number = 1; number < tree.size(); ++number)
    if (tree.dominators[number] >= number) std::abort();
  type_figures(*graph, tree);
  for (const oriel::heap::Finding& finding : findings_of(*graph, tree, oriel::heap::Asked::kAll))
    for (const oriel::heap::FindingRow& row : finding.rows) {
      if (uint64_t{row.first} + row.objects > finding.members.size()) std::abort();
      text_of(*graph, finding.of(row));
      oriel::heap::main_places(*graph, tree, {{finding.of(row)}});
    }
  merged_paths(*graph, oriel::heap::ChosenTypes(graph->snapshot.types.size(), true));
  return 0;
}
