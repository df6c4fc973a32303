// The signal handler, and a sample while its listeners look at it. Everything the handler calls is in files that
// tests/fence holds to the handler's list.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "sampling/sampling.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {

// Of a thread that runs, in its signal handler; or of one that waits, on the manager's thread, its walk made. The
// slot's `busy` is set meanwhile.
struct Sample {
  Slot* slot;
  const void* context;  // nullptr once the walk is made
  uintptr_t ip;
  uint64_t time;
  uint32_t os_thread;
  uint32_t periods;
  bool in_page_fault;
  // The walk, once it is made: in slot->frames.
  mutable bool walked;
  mutable bool truncated;
  mutable size_t depth;
};

// Takes a sample of the calling thread if the signal is one of our timers'; anything else goes to the handler that
// shares the signal, if one does.
void on_signal(int signal, siginfo_t* info, void* context);

// Calls function(argument) on the stack that ends at `top`, a multiple of 16. Debuggers and exceptions' unwinders find
// the way back to the caller's stack. Each architecture has its own (call_on_stack.cc). Async-safe.
extern "C" __attribute__((visibility("hidden"))) void oriel_call_on_stack(void* top, void (*function)(void*),
                                                                          void* argument);

}  // namespace oriel::sampling
