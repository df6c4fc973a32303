// The signal handler, and a sample while its listeners look at it. Everything that the handler calls is in files that
// tests/fence checks against the handler's list.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "sampling/sampling.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {

// A sample of a running thread, in its signal handler; or of a waiting one, on the manager's thread, with its stack
// already walked. The slot's `busy` is set meanwhile. Every Sample is one of these.
struct SampleInSlot : Sample {
  Slot& of;
  const void* context;  // nullptr for a waiting thread
  // The result of the walk, if made, is in of.frames.
  mutable bool walked;
  mutable bool truncated;
  mutable size_t depth;
};

// Takes a sample of the calling thread if the signal comes from one of Oriel's timers; passes others to the handler
// that shares the signal, if there is one.
void on_signal(int signal, siginfo_t* info, void* context);

// Calls function(argument) on the stack that ends at `top`, a multiple of 16. Debuggers and exception unwinders find
// the way back to the caller's stack. Defined for each architecture (call_on_stack.cc). Async-safe.
extern "C" __attribute__((visibility("hidden"))) void oriel_call_on_stack(void* top, void (*function)(void*),
                                                                          void* argument);

}  // namespace oriel::sampling
