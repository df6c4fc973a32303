// What the adapter keeps for each thread, behind one pointer (docs/ARCHITECTURE.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

struct MonoClass;
struct MonoMethod;

namespace oriel::mono {

// The compilations that a thread is in; one may begin in another.
struct Compilations {
  static constexpr uint32_t kMost = 16;
  oriel_method* methods[kMost];  // nullptr: not known
  MonoMethod* ids[kMost];
  uint32_t depth;  // may exceed kMost: those are counted only
};

struct LockWait {
  oriel_class* klass = nullptr;
  const void* lock = nullptr;
  uint64_t began_ns = 0;  // 0: the thread waits for none
};

// What is known of a class whose objects a thread allocates.
struct AllocatedClass {
  MonoClass* id = nullptr;
  oriel_class* record = nullptr;
  uint32_t size = 0;  // of an object on the heap; 0: it varies
};

struct AllocatedClasses {
  static constexpr size_t kMost = 64;
  AllocatedClass all[kMost];
  uint32_t unloads = 0;  // images unloaded before: Mono uses ids again
};

struct ThreadState {
  AllocatedClasses allocated;
  Compilations compilations{};
  LockWait lock_wait;
  uint32_t thrown = 0;          // handle of the exception thrown last; 0: none
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
