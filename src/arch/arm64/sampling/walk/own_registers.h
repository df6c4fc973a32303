// The registers of a running function.
#pragma once

#include "sampling/walk/registers.h"

namespace oriel::sampling {

// Those of the function that this is inlined into, at that point. Async-safe.
__attribute__((always_inline)) inline Registers own_registers() {
  Registers registers;
  asm volatile("adr %0, 0f\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30\n0:"
               : "=&r"(registers.ip), "=&r"(registers.sp), "=&r"(registers.fp), "=&r"(registers.base));
  return registers;
}

}  // namespace oriel::sampling
