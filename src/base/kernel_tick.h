// The kernel's tick: timers on CPU clocks fire no more often.
#pragma once

#include <cstdint>
#include <ctime>

namespace oriel {

// Nanoseconds from one to the next.
inline int64_t kernel_tick_ns() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0) return 10'000'000;
  return resolution.tv_sec * 1'000'000'000 + resolution.tv_nsec;
}

}  // namespace oriel
