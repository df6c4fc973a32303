#include "base/clock.h"

#include <ctime>

#include "base/cycle_counter.h"

namespace oriel {
namespace {

uint64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t clock_counter() {
  if (cycle_counter_is_clock) return read_cycle_counter();
  return clock_monotonic_ns();
}

const char* clock_counter_name() {
  if (cycle_counter_is_clock) return kCycleCounterName;
  return "monotonic-ns";
}

uint64_t clock_monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

uint64_t clock_thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

uint64_t clock_unix_us() { return read_clock(CLOCK_REALTIME) / 1000; }

ClockPair clock_pair() { return {clock_counter(), clock_unix_us()}; }

}  // namespace oriel
