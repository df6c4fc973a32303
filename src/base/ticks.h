// clock_counter() (base/clock.h) inlined, for code that runs at each call in a program: the same counter, a little
// cheaper.
#pragma once

#include "base/clock.h"
#include "base/cycle_counter.h"

namespace oriel {

// The raw counter, comparable with clock_counter(). Async-safe. Costs about as much as reading the time stamp counter.
inline uint64_t ticks() {
  if (cycle_counter_is_clock) [[likely]] {
    return read_cycle_counter();
  }
  return clock_counter();
}

// Likewise, but serialized against the instructions before and after, for several times the cost: otherwise the
// processor may overlap them. Async-safe.
inline uint64_t serialized_ticks() {
  if (cycle_counter_is_clock) [[likely]] {
    return read_serialized_cycle_counter();
  }
  return clock_counter();
}

}  // namespace oriel
