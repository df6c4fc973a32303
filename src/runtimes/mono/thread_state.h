// What the adapter keeps for each thread, behind one pointer (docs/ARCHITECTURE.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

struct MonoClass;
struct MonoMethod;
struct MonoObject;

namespace oriel::mono {

// The compilations that a thread is in; one may begin in another.
struct Compilations {
  static constexpr uint32_t kMost = 16;
  oriel_method* methods[kMost];  // nullptr: not known
  MonoMethod* ids[kMost];
  uint32_t depth;  // may exceed kMost: those are counted only
};

// Mono does not tell of the end of each compilation, but never begins one in itself: what began in an earlier try at
// the same method is over.
void begin_compilation(Compilations& all, MonoMethod* id, oriel_method* method);
// Whether the thread was compiling the method, which is over now, as is all that began in it.
bool end_compilation(Compilations& all, const MonoMethod* id);

struct LockWait {
  oriel_class* klass = nullptr;
  const void* lock = nullptr;
  uint64_t began_ns = 0;  // 0: the thread waits for none
};

// What a thread met last, by Mono's id of it: the engine's tables of all take longer than a call or an allocation. Mono
// uses ids again, so callers say how many were freed so far.
template <typename One>
class Recent {
 public:
  // nullptr if it is not there.
  const One* find(decltype(One::id) id, uint32_t freed) {
    const One& place = place_of(id);
    return place.id == id && freed_ == freed ? &place : nullptr;
  }
  const One& put(const One& one, uint32_t freed) {
    if (freed_ != freed) *this = {};
    freed_ = freed;
    return place_of(one.id) = one;
  }

 private:
  static constexpr size_t kMost = 64;

  One& place_of(const void* id) { return all_[(reinterpret_cast<uintptr_t>(id) >> 4) % kMost]; }

  One all_[kMost];
  uint32_t freed_ = 0;
};

struct AllocatedClass {
  MonoClass* id = nullptr;
  oriel_class* record = nullptr;
  uint32_t size = 0;  // of an object on the heap; 0: it varies
};

struct CalledMethod {
  MonoMethod* id = nullptr;
  oriel_method* record = nullptr;
  uint32_t calls = 0;  // that filters chose: or of ORIEL_CALLS_*
};

// Exceptions on their way through methods: one may be thrown while another's finally block runs. The part of Mono that
// raises an exception's events has it on its stack until it is caught, and a collection does not move what is there.
struct ExceptionsInFlight {
  static constexpr uint32_t kMost = 8;
  struct One {
    uintptr_t frame;  // of the callback that told of the throw
    MonoObject* exception;
  };
  One all[kMost];  // the innermost last; frames descend
  uint32_t count;
};

// `frame` is that of the callback which Mono calls, __builtin_frame_address(0).
void begin_flight(ExceptionsInFlight& flights, uintptr_t frame, MonoObject* exception);
// The exception of which the same call of Mono's told; nullptr if that is not known.
MonoObject* exception_in_flight(ExceptionsInFlight& flights, uintptr_t frame);

struct ThreadState {
  Recent<AllocatedClass> allocated;
  Recent<CalledMethod> called;
  Compilations compilations{};
  LockWait lock_wait;
  ExceptionsInFlight in_flight{};
  int64_t bytes_to_sample = 0;  // until the next sampled allocation
  uint64_t random = 0;          // 0: not begun
  bool names_plainly = false;   // classes get their names without arguments
  uint32_t finalized = 0;       // finalizers run since gc_finalizing
};

// The calling thread's state, empty at first, deleted when the thread ends; nullptr without memory. Not in a signal
// handler.
ThreadState* thread_state();
// The same, but nullptr if the thread has none yet. Async-safe.
ThreadState* thread_state_if_any();

}  // namespace oriel::mono
