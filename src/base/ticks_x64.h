// x64: the time stamp counter, and whether it is a clock.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace oriel {

// Whether the counter runs at one rate in all power states, on all cores. Set before main.
extern const bool invariant_tsc;

// Not serialized: it may move by the few instructions around it, not across a call.
inline uint64_t read_tsc() { return __rdtsc(); }

}  // namespace oriel
