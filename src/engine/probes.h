// What instrumented code calls. Each event that it raises has a cell, whose address is in the code. The cell is nullptr
// while nobody listens, so that a probe costs one load and one branch; otherwise it points to the callback and its
// argument.
#pragma once

#include <atomic>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel {

// Instrumented code reads the two fields by offset. A target is never freed. Its code may change at any time, but only
// to a function with the same arguments, `profiler` first.
struct ProbeTarget {
  std::atomic<const void*> code{nullptr};
  oriel_profiler* profiler = nullptr;
};
static_assert(sizeof(std::atomic<const void*>) == sizeof(void*));

inline constexpr uint32_t kFirstProbe = oriel_event_method_enter;
inline constexpr uint32_t kProbes = oriel_event_method_leave_full - kFirstProbe + 1;
// Events whose callbacks may block: the thread allows collections, and the call counts as a callback that the process's
// end waits for.
constexpr bool is_full_probe(uint32_t event_number) {
  return event_number >= oriel_event_gc_allocation_full && event_number <= oriel_event_method_leave_full;
}
constexpr bool is_probe(uint32_t event_number) {
  const bool comes_from_the_runtime = event_number == oriel_event_gc_allocation_sampled;
  const bool is_leaf = event_number >= kFirstProbe && event_number <= oriel_event_async_complete;
  return (is_leaf && !comes_from_the_runtime) || is_full_probe(event_number);
}

// The code of a removed target: instrumented code may still be about to call it, with any arguments.
void removed_probe();

using ProbeCell = std::atomic<const ProbeTarget*>;
extern ProbeCell probe_cells[kProbes];
inline const ProbeCell& probe_cell(uint32_t event_number) { return probe_cells[event_number - kFirstProbe]; }

// Points each cell to the present listeners: to a single callback itself, or to a loop over several. Only on the
// engine's thread, or the one that starts the engine.
void update_probe_cells();
// Sets all cells to nullptr until they are opened again. Async-safe.
void close_probe_cells();
void open_probe_cells();

}  // namespace oriel
