// The CPU time of single threads, and how often a timer on it can fire.
#pragma once

#include <cstdint>
#include <ctime>

namespace oriel {

// The clock of the CPU time that one thread of this process uses, by the system's id of it; clock_gettime fails for one
// that has ended. Made as the kernel does (include/linux/posix-timers_types.h): pthread_getcpuclockid knows only
// threads of the C library. Async-safe.
inline clockid_t cpu_clock_of(uint32_t tid) { return static_cast<clockid_t>((~tid << 3) | 6u); }

// The kernel's tick, in nanoseconds from one to the next: timers on CPU clocks fire no more often.
inline int64_t kernel_tick_ns() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0) return 10'000'000;
  return resolution.tv_sec * 1'000'000'000 + resolution.tv_nsec;
}

}  // namespace oriel
