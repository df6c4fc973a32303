#include "base/clock.h"

#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>

#include "base/ticks_x64.h"
#endif

namespace oriel {
namespace {

uint64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
// CPUID 8000_0007h, EDX bit 8: the time stamp counter runs at one rate in all power states (AMD APM 3, Intel SDM 2A).
bool has_invariant_tsc() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
}
#endif

}  // namespace

#if defined(__x86_64__)
const bool invariant_tsc = has_invariant_tsc();
#endif

uint64_t clock_counter() {
#if defined(__x86_64__)
  if (invariant_tsc) return read_tsc();
#endif
  return clock_monotonic_ns();
}

const char* clock_counter_name() {
#if defined(__x86_64__)
  if (invariant_tsc) return "tsc";
#endif
  return "monotonic-ns";
}

uint64_t clock_monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

uint64_t clock_thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

uint64_t clock_unix_us() { return read_clock(CLOCK_REALTIME) / 1000; }

ClockPair clock_pair() { return {clock_counter(), clock_unix_us()}; }

}  // namespace oriel
