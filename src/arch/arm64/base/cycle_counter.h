// The processor's cycle counter, and whether it is a clock: on arm64, the generic timer's virtual count.
#pragma once

#include <cstdint>

namespace oriel {

// Its name in a log.
inline constexpr const char* kCycleCounterName = "cntvct";

// Whether the counter runs at a constant rate in all power states, on all cores: here the architecture says so.
inline constexpr bool cycle_counter_is_clock = true;

// Not serialized: it may be reordered with the few instructions around it, not across a call. Async-safe.
inline uint64_t read_cycle_counter() {
  uint64_t now = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
}

// Serialized: everything before it is complete, and nothing after it has started. Async-safe.
inline uint64_t read_serialized_cycle_counter() {
  uint64_t now = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now) : : "memory");
  return now;
}

}  // namespace oriel
