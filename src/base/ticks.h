// clock_counter() (base/clock.h) inlined, for what runs at each call of a program: the same counter, a little cheaper.
#pragma once

#include "base/clock.h"
#include "base/cycle_counter.h"

namespace oriel {

// The raw counter, comparable with clock_counter(). Async-safe. About the price of reading the time stamp counter.
inline uint64_t ticks() {
  if (cycle_counter_is_clock) [[likely]] {
    return read_cycle_counter();
  }
  return clock_counter();
}

// The same between what was begun before and what comes after, at several times the price: the processor, which works
// on both at once otherwise, waits here. Async-safe.
inline uint64_t settled_ticks() {
  if (cycle_counter_is_clock) [[likely]] {
    return read_settled_cycle_counter();
  }
  return clock_counter();
}

}  // namespace oriel
