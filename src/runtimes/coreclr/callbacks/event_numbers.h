// What the numbers in the runtime's events mean, whoever reads these: its event source here, or a .nettrace file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::coreclr {

// By the number that the runtime gives a reason for a collection.
constexpr oriel_gc_trigger gc_trigger(uint64_t number) {
  constexpr oriel_gc_trigger kTriggers[] = {
      ORIEL_GC_TRIGGER_SMALL_OBJECTS, ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_LOW_MEMORY,
      ORIEL_GC_TRIGGER_OTHER,         ORIEL_GC_TRIGGER_LARGE_OBJECTS, ORIEL_GC_TRIGGER_OUT_OF_SPACE,
      ORIEL_GC_TRIGGER_OUT_OF_SPACE,  ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_OTHER,
      ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_LOW_MEMORY,
      ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_SMALL_OBJECTS,
      ORIEL_GC_TRIGGER_LARGE_OBJECTS, ORIEL_GC_TRIGGER_OTHER,         ORIEL_GC_TRIGGER_INDUCED,
  };
  return number < sizeof kTriggers / sizeof *kTriggers ? kTriggers[number] : ORIEL_GC_TRIGGER_OTHER;
}

// By the number of a reason for a change of the thread pool: warmup, initializing, random move, climbing move, change
// point, stabilizing, starvation, timed out, cooperative blocking.
constexpr oriel_pool_reason pool_reason(uint64_t number) {
  constexpr oriel_pool_reason kReasons[] = {
      ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_OTHER,      ORIEL_POOL_REASON_THROUGHPUT,
      ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_THROUGHPUT,
      ORIEL_POOL_REASON_STARVATION, ORIEL_POOL_REASON_IDLE,       ORIEL_POOL_REASON_BLOCKING,
  };
  return number < sizeof kReasons / sizeof *kReasons ? kReasons[number] : ORIEL_POOL_REASON_OTHER;
}

}  // namespace oriel::coreclr
