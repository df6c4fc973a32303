// The engine's clocks. All async-safe.
#pragma once

#include <cstdint>
#include <ctime>

namespace oriel {

// Raw counter: the time stamp counter if it runs at a constant rate on all cores, else CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_counter();

// "tsc" or "monotonic-ns": the unit of clock_counter.
const char* clock_counter_name();

// CLOCK_MONOTONIC in nanoseconds.
uint64_t clock_monotonic_ns();

// CPU time of the calling thread in nanoseconds.
uint64_t clock_thread_cpu_ns();

// The CPU-time clock of one thread of this process, by its OS id; clock_gettime fails once the thread has ended. Made
// as the kernel does (include/linux/posix-timers_types.h), as pthread_getcpuclockid knows only threads of the C
// library.
inline clockid_t cpu_clock_of(uint32_t tid) { return static_cast<clockid_t>((~tid << 3) | 6u); }

// The period of the kernel's tick in nanoseconds: timers on CPU clocks fire no more often.
inline int64_t kernel_tick_ns() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0) return 10'000'000;
  return resolution.tv_sec * 1'000'000'000 + resolution.tv_nsec;
}

// Microseconds since the Unix epoch.
uint64_t clock_unix_us();

// Counter and time of day, read together: a CLOCK of the log.
struct ClockPair {
  uint64_t counter = 0;
  uint64_t unix_us = 0;
};
ClockPair clock_pair();

}  // namespace oriel
