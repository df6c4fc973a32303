// The changes to make to methods' code: the union of the profilers' filters, and their rewriters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/things/entities.h"

namespace oriel {

struct WantedChanges {
  uint32_t calls = ORIEL_CALLS_NONE;  // or of ORIEL_CALLS_*
  bool allocations : 1 = false;
  bool full_allocations : 1 = false;
  uint8_t coverage = 0;    // 0: not wanted; changes when a different set of probes is needed
  uint16_t rewriters = 0;  // 0: nothing to rewrite; changes when a rewriter is set

  bool any() const { return has_probes() || rewriters != 0; }
  bool any_allocations() const { return allocations || full_allocations; }
  bool has_probes() const { return calls != ORIEL_CALLS_NONE || any_allocations() || coverage != 0; }
  bool operator==(const WantedChanges&) const = default;
};
static_assert(sizeof(WantedChanges) == sizeof(uint64_t));  // read and written atomically

// Whether any profiler has a filter. Async-safe.
bool has_filters();
bool has_call_filters();
bool has_coverage_filters();
bool has_allocation_filters();
bool has_rewriters();
// Increases whenever a filter is set. Async-safe.
uint32_t filter_generation();
// Filters' answers have changed: all are asked again soon. Async-safe.
void filters_changed();
// Asks all filters: calls modules, so no lock may be held. A filter that throws or returns invalid bits is reported
// once, and counts as a no.
WantedChanges ask_filters(oriel_method* method, oriel_image* image);
// Whether filters may select any method of the image. Calls modules.
bool ask_image_filters(oriel_image* image);

// Whether this profiler rewrites the method. Calls modules.
bool rewrites(const oriel_profiler_desc& profiler, oriel_method* method, oriel_image* image);

// For adapters: the outcome for a method's body, see oriel_instrumentation_counts. Async-safe.
void count_outcome(oriel_instrumentation_outcome outcome);
// For adapters: filters have an effect in this process.
void set_instrumentation_possible();

}  // namespace oriel
