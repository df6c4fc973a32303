// The registers that a stack walk needs, and those of an interrupted thread. Defined for each architecture
// (registers.cc).
#pragma once

#include <cstdint>

namespace oriel::sampling {

struct Registers {
  uintptr_t ip = 0;
  uintptr_t sp = 0;
  uintptr_t fp = 0;
  // x64: rbx, in which the dynamic linker keeps its caller's frame. arm64: the link register, which has the return
  // address of the innermost frame until that saves it; 0: unknown.
  uintptr_t base = 0;
  // False for another thread that waits in the kernel, for which only ip and sp are known: fp and base are not used
  // until a frame was found in which they are saved.
  bool knows_fp = true;
};

// From the context that a signal handler gets. Async-safe.
Registers interrupted_registers(const void* context);

// The C library's thread pointer; it lies at the high end of the thread's stack, except on the main thread. Async-safe.
uintptr_t thread_pointer();

// Whether a value can be the address of an instruction.
bool is_code_address(uintptr_t value);

}  // namespace oriel::sampling
