// x64: the time stamp counter, and whether it is a clock.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace oriel {

// Whether the counter runs at one rate in all power states, on all cores. Set before main.
extern const bool invariant_tsc;

// Not serialized: it may move by the few instructions around it, not across a call.
inline uint64_t read_tsc() { return __rdtsc(); }

// Serialized: whatever was begun before it is done, and nothing behind it has begun.
inline uint64_t read_settled_tsc() {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

}  // namespace oriel
