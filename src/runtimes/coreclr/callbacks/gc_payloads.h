// Payloads of the runtime's events about a collection. Fields are as in the runtime's manifest, without gaps; a pointer
// has 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "oriel/oriel.h"

namespace oriel::coreclr {

struct GcStarted {
  uint32_t number = 0;
  oriel_gc_trigger trigger = ORIEL_GC_TRIGGER_OTHER;
  bool background = false;
};
std::optional<GcStarted> read_gc_started(std::span<const uint8_t> fields);

struct GcSurvived {  // as oriel_event_gc_survived has them
  uint64_t generations[3] = {};
  uint64_t large = 0;
  uint64_t pinned = 0;
  uint32_t finalizable = 0;
  uint32_t pinned_objects = 0;
  uint32_t handles = 0;
};
std::optional<GcSurvived> read_heap_stats(std::span<const uint8_t> fields);

struct GcFree {
  uint32_t heap = 0;
  uint64_t parts[5] = {};  // generations, large, pinned
};
std::optional<GcFree> read_heap_history(std::span<const uint8_t> fields);

struct PhaseTimes {  // nanoseconds, as oriel_event_gc_phases has them
  bool background = false;
  uint64_t roots = 0;
  uint64_t weak = 0;
  uint64_t finalization = 0;
  uint64_t plan = 0;
  uint64_t relocate = 0;
  uint64_t compact = 0;
  uint64_t sweep = 0;
};
std::optional<PhaseTimes> read_phase_times(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
