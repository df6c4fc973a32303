// Which probes methods are to have: the profilers' filters, asked and put together.
#pragma once

#include <cstdint>

#include "engine/entities.h"

namespace oriel {

struct WantedProbes {
  uint32_t calls = ORIEL_CALLS_NONE;  // or of ORIEL_CALLS_*
  bool allocations = false;

  bool any() const { return calls != ORIEL_CALLS_NONE || allocations; }
  bool operator==(const WantedProbes&) const = default;
};

// Whether any profiler has a filter. Async-safe.
bool has_filters();
bool has_allocation_filters();
// Grows whenever a filter is set. Async-safe.
uint32_t filter_generation();
// Asks all filters: calls modules, so no lock may be held. A filter that throws or answers nonsense is said once, and
// counts as having said no.
WantedProbes ask_filters(oriel_method* method);

// The adapter's word on a method's body, for oriel_instrumentation_counts. Async-safe.
void count_outcome(oriel_instrumentation_outcome outcome);
// The adapter's word that filters have an effect in this process.
void set_instrumentation_possible();

}  // namespace oriel
