// What instrumented code calls. Each event that it raises has a cell, whose address is written into the code: it is
// nullptr while nobody listens, so that a probe costs one load and one branch; else it points to what to call, with
// what.
#pragma once

#include <atomic>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel {

// Instrumented code reads the two fields by their places. A target never goes away; its code may change at any time,
// but only for another that takes the same arguments, `profiler` first.
struct ProbeTarget {
  std::atomic<const void*> code{nullptr};
  oriel_profiler* profiler = nullptr;
};
static_assert(sizeof(std::atomic<const void*>) == sizeof(void*));

inline constexpr uint32_t kFirstProbe = oriel_event_method_enter;
inline constexpr uint32_t kProbes = oriel_event_method_leave_full - kFirstProbe + 1;
// Those whose callbacks may block: the thread lets collections in, and what it calls counts as a callback that the
// process's end waits for.
constexpr bool is_full_probe(uint32_t event_number) {
  return event_number >= oriel_event_gc_allocation_full && event_number <= oriel_event_method_leave_full;
}
constexpr bool is_probe(uint32_t event_number) {
  const bool comes_from_the_runtime = event_number == oriel_event_gc_allocation_sampled;
  const bool is_leaf = event_number >= kFirstProbe && event_number <= oriel_event_async_complete;
  return (is_leaf && !comes_from_the_runtime) || is_full_probe(event_number);
}

// The code of a target that was taken away: instrumented code may still be about to call it, with any arguments.
void probe_taken_away();

using ProbeCell = std::atomic<const ProbeTarget*>;
extern ProbeCell probe_cells[kProbes];
inline const ProbeCell& probe_cell(uint32_t event_number) { return probe_cells[event_number - kFirstProbe]; }

// Lets each cell lead to whoever listens now: to the one callback itself, or to a loop over several. Only the
// engine's thread, or whoever starts the engine.
void update_probe_cells();
// All cells are nullptr from now on. Async-safe.
void close_probe_cells();

}  // namespace oriel
