#include <sys/ucontext.h>

#include "sampling/walk/registers.h"

namespace oriel::sampling {

Registers interrupted_registers(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {static_cast<uintptr_t>(machine.pc), static_cast<uintptr_t>(machine.sp),
          static_cast<uintptr_t>(machine.regs[29]), static_cast<uintptr_t>(machine.regs[30])};
}

uintptr_t thread_pointer() {
  uintptr_t value = 0;
  asm("mrs %0, tpidr_el0" : "=r"(value));
  return value;
}

// User space has 48 bits, unless a program asks for more; the first page is never mapped.
bool is_code_address(uintptr_t value) {
  return value >= 4096 && value < (uintptr_t{1} << 48) && value % sizeof(uint32_t) == 0;
}

}  // namespace oriel::sampling
