// Whether a thread is in a fault's handler.
#pragma once

#include <csignal>

namespace oriel {

// A runtime's handler of faults calls abort too, with the fault's signal still masked. The thread may then hold any
// lock, such as the allocator's, and may have no stack left. Async-safe.
inline bool is_handling_fault() {
  sigset_t masked;
  return pthread_sigmask(SIG_BLOCK, nullptr, &masked) != 0 || sigismember(&masked, SIGSEGV) == 1;
}

}  // namespace oriel
