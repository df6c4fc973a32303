// Methods in which coverage is counted, and the counters that their code has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/things/entities.h"
#include "il/probes/coverage_points.h"
#include "il/probes/coverage_sums.h"

namespace oriel::coverage {

// Whether callers may have a method's code within theirs, as long as it has its default body; and whether that may be
// another one from some time on: it has no loop, in the middle of which a running one is compiled anew for the same
// version.
struct Inlined {
  bool may_be = false;
  bool may_change = false;
};

// Where a method's coverage is counted.
struct Places {
  std::vector<il::CoveragePoint> points;  // empty: nothing is counted
  std::vector<il::CounterSum> sums;       // what no code needs to count, of how often it runs
  Inlined inlined;
};

struct CoveredMethod {
  oriel_method* method = nullptr;
  Places places;
  uint32_t counters = 0;
  uint64_t first = 0;       // number of the first of them
  uint8_t* hits = nullptr;  // where they are; or, of counts:
  int32_t in_region = 0;    // where in each thread's region the first is
  // What has changed since its first body; on the engine's thread.
  uint8_t number = 1;      // WantedChanges::coverage; 0: its code needs no probes any more
  uint8_t compiled = 0;    // how often it was compiled anew for it
  uint32_t next_look = 0;  // when it is looked at again
  std::vector<bool> told;  // the counters that need no probes, or do no longer, by number
};

// Where a body's probes count, as il::CoverageProbes has it.
struct CountersOfMethod {
  uint64_t hits = 0;
  uint64_t counters_of_thread = 0;
  int32_t first_counter = 0;
  std::vector<bool> told;

  // It needs no probe.
  bool is_told(uint32_t counter) const { return counter < told.size() && told[counter]; }
};

// Whether anybody has enabled coverage. Async-safe.
bool is_enabled();

// The method's counters, the same for all of its bodies; nullopt if there is no memory, or it was counted at other
// points, as another body of it was. `number`: of the body, as number_of_probes had it. Any thread.
std::optional<CountersOfMethod> counters_for(oriel_method& method, oriel_image& image, uint32_t token,
                                             const Places& places, uint8_t number);

// WantedChanges::coverage of a method that a filter chooses. Any thread.
uint8_t number_of_probes(const oriel_method* method);

// Those whose code is better with fewer probes than it has, as more is told, or without; number_of_probes changes for
// them. On the engine's thread.
struct LessToTell {
  std::vector<oriel_method*> compile_anew;
  // What callers have of these is better than a call: they get none at all, and so do those callers.
  std::vector<oriel_method*> clear;
};
LessToTell methods_with_less_to_tell();
// Those for which all is to be told again, as a profiler has begun anew. On the engine's thread.
std::vector<oriel_method*> methods_to_probe_again();

}  // namespace oriel::coverage
