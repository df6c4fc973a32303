// The methods that are covered, and their counters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/things/entities.h"
#include "il/probes/coverage_points.h"
#include "il/probes/coverage_sums.h"

namespace oriel::hits {

// `may_be`: callers may inline the method while it has its default body. `may_change`: a later body may replace that,
// as there is no loop, in whose middle a running method would be recompiled for the same version.
struct Inlined {
  bool may_be = false;
  bool may_change = false;
};

// A method's coverage points and counters.
struct Places {
  std::vector<il::CoveragePoint> points;  // empty: the method is not covered
  std::vector<il::CounterSum> sums;       // counts that need no probe
  Inlined inlined;
};

struct CountedMethod {
  oriel_method* method = nullptr;
  Places places;
  uint32_t counters = 0;
  uint64_t first = 0;       // number of its first counter
  uint8_t* hits = nullptr;  // its counters; for counts instead:
  int32_t in_region = 0;    // offset of the first one in each thread's region
  // State of its probes since the first body; on the engine's thread.
  uint8_t number = 1;      // WantedChanges::coverage; 0: its code needs no probes any more
  uint8_t compiled = 0;    // how often it was recompiled for that
  uint32_t next_look = 0;  // the next look that checks it
  std::vector<bool> told;  // the counters that need no probe, or no longer, by number
  // Of the same method: places that another of its bodies has and this one lacks. nullptr: none.
  CountedMethod* more = nullptr;
};

// Where a body's probes count, as in il::CoverageProbes.
struct CountersOfMethod {
  uint64_t hits = 0;
  uint64_t counters_of_thread = 0;
  int32_t first_counter = 0;
  std::vector<bool> told;

  // Whether it needs no probe.
  bool is_told(uint32_t counter) const { return counter < told.size() && told[counter]; }
};

// Whether anybody has enabled coverage. Async-safe.
bool is_enabled();

// The method's counters, the same for all of its bodies; nullopt without memory, or if another body of it has different
// points. `number` is that of the body, from number_of_probes. Any thread.
std::optional<CountersOfMethod> counters_for(oriel_method& method, oriel_image& image, uint32_t token,
                                             const Places& places, uint8_t number);

// WantedChanges::coverage for a method that a filter selects. Any thread.
uint8_t number_of_probes(const oriel_method* method);

// Methods that can be recompiled with fewer probes, or none, as more counters are hit; changes their number_of_probes.
// On the engine's thread.
struct FewerProbes {
  std::vector<oriel_method*> compile_anew;
  // Inlining these is better than calling them: they lose all probes, and so do their callers' inlined copies.
  std::vector<oriel_method*> clear;
};
FewerProbes methods_needing_fewer_probes();
// Methods that need all probes back because a profiler was reset. On the engine's thread.
std::vector<oriel_method*> methods_to_restore();

}  // namespace oriel::hits
