// The engine's clocks. All async-safe.
#pragma once

#include <cstdint>

namespace oriel {

// Raw counter: the time stamp counter where it runs at one rate on all cores, else CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_counter();

// "tsc" or "monotonic-ns": what clock_counter counts.
const char* clock_counter_name();

// CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_monotonic_ns();

// CPU time of the calling thread in nanoseconds.
uint64_t clock_thread_cpu_ns();

// Microseconds since the Unix epoch.
uint64_t clock_unix_us();

// Counter and time of day, read together: what the log calls a CLOCK.
struct ClockPair {
  uint64_t counter = 0;
  uint64_t unix_us = 0;
};
ClockPair clock_pair();

}  // namespace oriel
