// Methods in which coverage is counted, and the counters that their code has.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/coverage/hit_counters.h"
#include "engine/entities.h"
#include "il/coverage_points.h"

namespace oriel::coverage {

struct CoveredMethod {
  oriel_method* method = nullptr;
  std::vector<il::CoveragePoint> points;
  uint32_t counters = 0;
  uint64_t first = 0;       // number of the first of them
  uint8_t* hits = nullptr;  // where they are
  bool keeps_probes = false;
  std::atomic<bool> without_probes{false};  // its code needs none any more
};

// Where a body's probes count: counter n of the method at `hits` + n.
struct CountersOfMethod {
  uint64_t hits = 0;
};

// Whether anybody has enabled coverage. Async-safe.
bool is_enabled();

// The method's counters, the same for all of its bodies; nullopt if there is no memory, or it was counted at other
// points, as another body of it was. `small`: callers may have its code within theirs. Any thread.
std::optional<CountersOfMethod> counters_for(oriel_method& method, oriel_image& image, uint32_t token,
                                             const std::vector<il::CoveragePoint>& points, bool small);

// Whether all that its probes could tell is told, so that its code is better without. Any thread.
bool needs_no_probes(const oriel_method* method);

// Those of which that has become true since the last call, which are then without. On the engine's thread.
std::vector<oriel_method*> newly_hit_methods();
// Those that are without although a profiler has begun anew, which then no longer are. On the engine's thread.
std::vector<oriel_method*> methods_to_probe_again();

}  // namespace oriel::coverage
