// The processor's counter of time, and whether it is a clock: on x64, the time stamp counter.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace oriel {

// How a log names it.
inline constexpr const char* kCycleCounterName = "tsc";

// Whether the counter runs at one rate in all power states, on all cores. Set before main.
extern const bool cycle_counter_is_clock;

// Not serialized: it may move by the few instructions around it, not across a call. Async-safe.
inline uint64_t read_cycle_counter() { return __rdtsc(); }

// Serialized: whatever was begun before it is done, and nothing behind it has begun. Async-safe.
inline uint64_t read_settled_cycle_counter() {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

}  // namespace oriel
