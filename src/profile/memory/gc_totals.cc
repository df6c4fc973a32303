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

std::vector<std::vector<const GcPart*>> gc_parts_by_collection(const Profile& profile) {
  std::vector<std::vector<const GcPart*>> parts(profile.collections.size());
  std::map<uint64_t, std::vector<size_t>> by_number;
  for (size_t i = 0; i < parts.size(); ++i) by_number[profile.collections[i].number].push_back(i);
  for (const GcPart& part : profile.gc_parts) {
    const auto known = by_number.find(part.number);
    if (known == by_number.end()) continue;
    const auto holds = [&](size_t i) {
      const Collection& one = profile.collections[i];
      const bool is_its = part.thread >= profile.threads.size() || profile.threads[part.thread].process == one.process;
      return is_its && part.start_ns >= one.start_ns && (one.end_ns < 0 || part.start_ns <= one.end_ns);
    };
    const auto its = std::ranges::find_if(known->second, holds);
    if (its != known->second.end()) parts[*its].push_back(&part);
  }
  return parts;
}

}  // namespace oriel::profile
