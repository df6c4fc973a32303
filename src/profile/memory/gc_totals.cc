#include "profile/memory/gc_totals.h"

#include <algorithm>

namespace oriel::profile {

GcTotals gc_totals(const Profile& profile) {
  GcTotals totals;
  for (const Collection& collection : profile.collections) {
    GcTotals::Generation& generation = totals.by_generation[collection.generation];
    ++totals.count;
    ++generation.count;
    totals.induced += collection.induced;
    generation.induced += collection.induced;
    totals.pause_ns += collection.pause_ns;
    generation.pause_ns += collection.pause_ns;
    if (collection.induced) totals.induced_pause_ns += collection.pause_ns;
    for (size_t i = 0; i < kGcPhases; ++i) {
      totals.phases[i] += collection.phases[i];
      generation.phases[i] += collection.phases[i];
    }
    generation.longest_ns = std::max(generation.longest_ns, collection.pause_ns);
    if (collection.pause_ns <= totals.longest_ns) continue;
    totals.longest_ns = collection.pause_ns;
    totals.longest_at_ns = collection.start_ns;
  }
  return totals;
}

}  // namespace oriel::profile
