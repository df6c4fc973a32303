// The engine's clocks. All async-safe.
#pragma once

#include <cstdint>
#include <ctime>

namespace oriel {

// Raw counter: the time stamp counter where it runs at one rate on all cores, else CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_counter();

// "tsc" or "monotonic-ns": what clock_counter counts.
const char* clock_counter_name();

// CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_monotonic_ns();

// CPU time of the calling thread in nanoseconds.
uint64_t clock_thread_cpu_ns();

// The clock of the CPU time that one thread of this process uses, by the system's id of it; clock_gettime fails for one
// that has ended. Made as the kernel does (include/linux/posix-timers_types.h): pthread_getcpuclockid knows only
// threads of the C library.
inline clockid_t cpu_clock_of(uint32_t tid) { return static_cast<clockid_t>((~tid << 3) | 6u); }

// The kernel's tick, in nanoseconds from one to the next: timers on CPU clocks fire no more often.
inline int64_t kernel_tick_ns() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0) return 10'000'000;
  return resolution.tv_sec * 1'000'000'000 + resolution.tv_nsec;
}

// Microseconds since the Unix epoch.
uint64_t clock_unix_us();

// Counter and time of day, read together: what the log calls a CLOCK.
struct ClockPair {
  uint64_t counter = 0;
  uint64_t unix_us = 0;
};
ClockPair clock_pair();

}  // namespace oriel
