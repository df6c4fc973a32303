// The processor's cycle counter, and whether it is a clock: on x64, the time stamp counter.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace oriel {

// Its name in a log.
inline constexpr const char* kCycleCounterName = "tsc";

// Whether the counter runs at a constant rate in all power states, on all cores. Set before main.
extern const bool cycle_counter_is_clock;

// Not serialized: it may be reordered with the few instructions around it, not across a call. Async-safe.
inline uint64_t read_cycle_counter() { return __rdtsc(); }

// Serialized: everything before it is complete, and nothing after it has started. Async-safe.
inline uint64_t read_serialized_cycle_counter() {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

}  // namespace oriel
