#include <sys/ucontext.h>

#include "sampling/walk/registers.h"

namespace oriel::sampling {

Registers interrupted_registers(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<uintptr_t>(registers[REG_RIP]), static_cast<uintptr_t>(registers[REG_RSP]),
          static_cast<uintptr_t>(registers[REG_RBP]), static_cast<uintptr_t>(registers[REG_RBX])};
}

// The first word of the thread control block is its own address (System V ABI, thread-local storage on x86-64).
uintptr_t thread_pointer() {
  uintptr_t value = 0;
  asm("mov %%fs:0, %0" : "=r"(value));
  return value;
}

// User space is the lower half (47 bits); the first page is never mapped.
bool is_code_address(uintptr_t value) { return value >= 4096 && value < (uintptr_t{1} << 47); }

}  // namespace oriel::sampling
