#include "base/cycle_counter.h"

#include <cpuid.h>

namespace oriel {
namespace {

// CPUID 8000_0007h, EDX bit 8: the time stamp counter runs at a constant rate in all power states (AMD APM 3, Intel SDM
// 2A).
bool has_invariant_tsc() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
}

}  // namespace

const bool cycle_counter_is_clock = has_invariant_tsc();

}  // namespace oriel
