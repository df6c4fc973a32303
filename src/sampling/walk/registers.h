// The registers a stack walk needs, and where an interrupted thread's are found. Each architecture has its own file of
// definitions (registers.cc).
#pragma once

#include <cstdint>

namespace oriel::sampling {

struct Registers {
  uintptr_t ip = 0;
  uintptr_t sp = 0;
  uintptr_t fp = 0;
  uintptr_t base = 0;  // x64: rbx, which the dynamic linker keeps its caller's frame in
  // False of another thread that waits in the kernel, which tells no more than ip and sp: fp and base are not looked at
  // before a frame was met in which they are saved.
  bool knows_fp = true;
};

// From the context that a signal handler gets. Async-safe.
Registers interrupted_registers(const void* context);

// What the C library knows the calling thread by; lies at the high end of its stack, except on the main thread.
// Async-safe.
uintptr_t thread_pointer();

// Whether a value can be the address of an instruction at all.
bool is_code_address(uintptr_t value);

}  // namespace oriel::sampling
