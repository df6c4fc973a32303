// What is to be changed in methods' code: the profilers' filters, asked and put together, and their rewriters.
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
  uint8_t coverage = 0;    // 0: nobody wants it; another number once other probes tell what is not told yet
  uint16_t rewriters = 0;  // 0: nobody has anything to rewrite; another number once a rewriter was set anew

  bool any() const { return has_probes() || rewriters != 0; }
  bool any_allocations() const { return allocations || full_allocations; }
  bool has_probes() const { return calls != ORIEL_CALLS_NONE || any_allocations() || coverage != 0; }
  bool operator==(const WantedChanges&) const = default;
};
static_assert(sizeof(WantedChanges) == sizeof(uint64_t));  // read and written at once

// Whether any profiler has a filter. Async-safe.
bool has_filters();
bool has_allocation_filters();
bool has_rewriters();
// Grows whenever a filter is set. Async-safe.
uint32_t filter_generation();
// What filters say has changed: all are asked anew, soon. Async-safe.
void filters_changed();
// Asks all filters: calls modules, so no lock may be held. A filter that throws or answers nonsense is said once, and
// counts as having said no.
WantedChanges ask_filters(oriel_method* method, oriel_image* image);
// Whether filters may choose any method of the image. Calls modules.
bool ask_image_filters(oriel_image* image);

// Whether this profiler has something to rewrite in the method. Calls modules.
bool rewrites(const oriel_profiler_desc& profiler, oriel_method* method, oriel_image* image);

// The adapter's word on a method's body, for oriel_instrumentation_counts. Async-safe.
void count_outcome(oriel_instrumentation_outcome outcome);
// The adapter's word that filters have an effect in this process.
void set_instrumentation_possible();

}  // namespace oriel
