// Each profiler's view of the counters. A reset must not clear the shared counters, as other profilers continue with
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/hits/counter_file.h"

struct oriel_profiler_desc;

namespace oriel::hits {

// Parallel to the chunks of counters; nullptr: all 0.
using Areas = std::vector<coverage_file::Segment*>;

struct View {
  Areas kept;   // for hits, those of this period that others cleared from the counters; for counts, the values when it
                // started
  Areas ended;  // of the ended period
};

using Views = std::map<const oriel_profiler_desc*, View>;

inline uint64_t used_of(const coverage_file::Segment* segment) { return segment->used.load(std::memory_order_relaxed); }

// The chunk that contains the counter; chunks are ordered by their first counter.
inline size_t chunk_of(std::span<coverage_file::Segment* const> chunks, uint64_t counter) {
  const auto first = [](const coverage_file::Segment* chunk) { return chunk->first; };
  return static_cast<size_t>(std::ranges::upper_bound(chunks, counter, {}, first) - chunks.begin()) - 1;
}

// Allocates areas parallel to these chunks, in the file or in memory. False without memory.
inline bool make_room(CounterFile& file, coverage_file::Kind kind, std::span<coverage_file::Segment* const> chunks,
                      Areas& areas) {
  areas.resize(chunks.size());
  for (size_t i = 0; i < areas.size(); ++i) {
    const coverage_file::Segment& like = *chunks[i];
    if (areas[i] == nullptr)
      areas[i] = file.add(kind, like.width, like.first, like.bytes - coverage_file::kSegmentHeader);
    if (areas[i] == nullptr) return false;
    areas[i]->used.store(used_of(&like), std::memory_order_release);
  }
  return true;
}

inline void clear(const Areas& areas) {
  for (coverage_file::Segment* const area : areas)
    if (area != nullptr) std::fill_n(coverage_file::data_of(area), used_of(area) * area->width, uint8_t{0});
}

}  // namespace oriel::hits
