// Any bytes may be in another tool's heap dump: what is made of them is whole, or refused with a sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "heap/dominators.h"
#include "heap/gcdump.h"
#include "heap/paths.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using oriel::heap::Gcdump;
  using oriel::heap::Graph;
  const oriel::Result<Gcdump> dump = oriel::heap::parse_gcdump(std::span(data, size), uint64_t{1} << 26);
  if (!dump) {
    if (dump.message().empty()) std::abort();
    return 0;
  }
  const Graph& graph = dump->graph;
  const size_t types = graph.snapshot.types.size(), edges = graph.targets.size();
  if (dump->names.size() != types || dump->modules.size() != types || graph.places.size() != edges) std::abort();
  if (graph.first_edge.size() != graph.objects() + 1u || graph.first_edge.back() != edges) std::abort();
  if (graph.words.size() != graph.objects() || graph.addresses.size() != graph.objects()) std::abort();
  for (const uint32_t type : graph.types)
    if (type >= types) std::abort();
  for (const uint32_t target : graph.targets)
    if (target >= graph.objects()) std::abort();
  for (const oriel::log::HeapRoot& root : graph.snapshot.roots)
    if (root.object >= graph.objects()) std::abort();
  const oriel::heap::Dominators tree = oriel::heap::dominators_of(graph);
  for (uint32_t number = 1; number < tree.size(); ++number)
    if (tree.dominators[number] >= number) std::abort();
  type_figures(graph, tree);
  merged_paths(graph, oriel::heap::ChosenTypes(types, true));
  return 0;
}
