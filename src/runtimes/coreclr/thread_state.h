// What the adapter keeps of each thread: behind one pointer, as it takes the little room that the C library has for
// thread-local storage of the kind that libraries loaded later need too, the program's own among them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/callback_state.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/exceptions_in_flight.h"

namespace oriel::coreclr {

// The frames that a thread's exceptions are about to leave, innermost last: an exception in a finally block has its own
// while the one before waits.
struct Unwinding {
  static constexpr uint32_t kMost = 32;
  FunctionID frames[kMost];
  uint32_t count;
};

// The compilations that a thread is in. One may lead to another, but not to many.
struct Compilations {
  static constexpr uint32_t kMost = 16;
  struct One {
    uint64_t began;        // by base/clock
    oriel_method* method;  // nullptr: not known
    bool again;            // it had code before
    uintptr_t stack;       // where the stack was as it began: what a nested one has is below
  };
  One all[kMost];
  uint32_t depth;
};

// The wait for a lock that a thread is in. A class may be unloaded only after its last object, which is locked.
struct LockWait {
  oriel_class* klass = nullptr;  // nullptr: a System.Threading.Lock
  uint64_t lock = 0;
  oriel_thread* owner = nullptr;
  bool began = false;
};

struct OfThread {
  bool is_pinning = false;              // object_pins.h
  bool may_be_asked_elsewhere = false;  // asked_elsewhere.h
  ExceptionsInFlight exceptions;
  Unwinding unwinding{};
  Compilations compilations{};
  LockWait lock_wait;
  GcState::Suspension ending;  // that the thread is ending
  // Of methods, how often the thread is in them; they stay in it when they are left, as they are likely to be entered
  // again.
  std::unordered_map<const oriel_method*, uint64_t> activations;
};

// The calling thread's, empty at first and deleted as the thread ends; nullptr where there is no memory for it. Any
// thread; not in a signal handler.
OfThread* of_thread();
// The same, but nullptr where nobody has asked for it before. Async-safe.
OfThread* of_thread_so_far();

}  // namespace oriel::coreclr
