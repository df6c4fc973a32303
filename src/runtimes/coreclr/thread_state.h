// The adapter's per-thread state. It is kept behind one pointer, because the C library has little static thread-local
// storage, and libraries that are loaded later, among them the program's own, need that too.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/callback_gc.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/exceptions_in_flight.h"

namespace oriel::coreclr {

// The frames that a thread's exceptions are about to leave, innermost last. An exception in a finally block has frames
// of its own while the one before it waits.
struct Unwinding {
  static constexpr uint32_t kMost = 32;
  FunctionID frames[kMost];
  uint32_t count;
};

// The compilations that a thread is in. Compilations may nest, but not deeply.
struct Compilations {
  static constexpr uint32_t kMost = 16;
  struct One {
    uint64_t began;        // by base/clock
    oriel_method* method;  // nullptr: not known
    bool again;            // the method had code before
    uintptr_t stack;       // the stack pointer when it began; a nested compilation's is lower
  };
  One all[kMost];
  uint32_t depth;
};

// The lock that a thread waits for. The class cannot be unloaded meanwhile, because an object of it is locked.
struct LockWait {
  oriel_class* klass = nullptr;  // nullptr: a System.Threading.Lock
  uint64_t lock = 0;
  oriel_thread* owner = nullptr;
  bool began = false;
};

struct PerThreadState {
  uint32_t attachment = 0;              // as of forget_thread_states
  bool is_pinning = false;              // object_pins.h
  bool may_be_asked_elsewhere = false;  // asked_elsewhere.h
  ExceptionsInFlight exceptions;
  Unwinding unwinding{};
  Compilations compilations{};
  LockWait lock_wait;
  GcState::Suspension ending;  // the suspension that the thread is ending
  // How often the thread is in each method. A method that is left keeps its entry, because it is likely to be entered
  // again.
  std::unordered_map<const oriel_method*, uint64_t> activations;
};

// The calling thread's state, which is empty at first and deleted when the thread ends; nullptr if there is no memory
// for it. Any thread, but not in a signal handler.
PerThreadState* per_thread_state();
// Oriel is attached to the program once more: what threads were doing when it left is over.
void forget_thread_states();
// Like per_thread_state, but nullptr if the thread has no state yet. Async-safe.
PerThreadState* per_thread_state_if_any();

}  // namespace oriel::coreclr
