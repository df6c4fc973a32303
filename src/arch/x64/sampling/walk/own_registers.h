// The registers of a running function.
#pragma once

#include "sampling/walk/registers.h"

namespace oriel::sampling {

// Those of the function that this is inlined into, at that point. Async-safe.
__attribute__((always_inline)) inline Registers own_registers() {
  Registers registers;
  asm volatile("lea 0f(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3\n0:"
               : "=&r"(registers.ip), "=&r"(registers.sp), "=&r"(registers.fp), "=&r"(registers.base));
  return registers;
}

}  // namespace oriel::sampling
