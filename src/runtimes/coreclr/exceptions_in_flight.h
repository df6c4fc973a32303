// Each thread's exceptions in flight, for callbacks that do not hand over the exception (clauses, frames that it
// leaves) and for probes.
//
// They form a stack: a clause that runs for an exception may throw another, which is caught before the first goes on,
// or replaces it. The address on the thread's stack from which the runtime calls says which exception it means. Since
// .NET 9 all calls for an exception come from its dispatcher, a frame that stays until the exception is caught. Calls
// for exceptions thrown meanwhile come from deeper frames. A dispatcher deeper than the one that calls now is gone.
//
// Each exception is pinned until it is caught. .NET 9 and 10 keep an exception's address where no collection finds it
// while they report a filter, and collections may run meanwhile (dotnet/runtime#132462): the filter then got an address
// at which there was no exception any more. docs/design/callbacks.md says when collections may run.
#pragma once

#include <cstdint>
#include <vector>

#include "oriel/oriel.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// One thread's exceptions.
class ExceptionStack {
 public:
  using Handle = uintptr_t;
  using Release = void (*)(Handle);

  // More than the distance between calls for one exception, and less than that between calls for two
  // (exceptions_in_flight.cc).
  static constexpr uintptr_t kSamePlace = 6144;
  // Each exception takes at least kSamePlace of the thread's stack, so there are more only if a thread has several
  // stacks. The oldest are released then.
  static constexpr size_t kMost = 1024;

  // Pushes an exception whose throw was reported at this stack address, and another object that is held with it (0:
  // none). The handles are released once the exception is known to be gone: when it is caught, with its dispatcher, or
  // at once if there is no memory.
  void thrown(Handle exception, uintptr_t place, Release release, Handle beside = 0);
  // The exception that the runtime means when it calls from this address; 0 if its throw was not reported.
  Handle called_from(uintptr_t place, Release release);
  // The exception of that address is caught.
  void caught_from(uintptr_t place, Release release);
  // The exception that was thrown last and is not caught yet.
  Handle innermost() const { return entries_.empty() ? 0 : entries_.back().exception; }
  void clear(Release release);

 private:
  struct Entry {
    Handle exception;
    Handle beside;
    uintptr_t place;
  };
  static void release_all(const Entry& entry, Release release);
  // Releases those that were reported from below this address.
  void forget_below(uintptr_t place, Release release);

  std::vector<Entry> entries_;  // outermost first, by place
};

// One thread's exceptions, with their generation: see forget_exceptions_in_flight.
struct ExceptionsInFlight {
  ExceptionStack stack;
  uint32_t generation = 0;
};
// Releases all of them, when their thread ends.
void let_go(ExceptionsInFlight& exceptions);

// What has to be done depends on the runtime's version (object_pins.h).
//
// Whether all its calls for one exception come from one frame, which the functions below rely on.
inline bool tells_exceptions_apart(uint16_t major_version) { return major_version >= 9; }
// Whether exceptions must be pinned whenever callbacks report them.
inline bool leaves_exceptions_unprotected(uint16_t major_version) { return major_version == 9 || major_version == 10; }

// The stack address of a callback, called in the callback's own frame.
inline __attribute__((always_inline)) uintptr_t this_place() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

// The calling thread's exceptions, from the runtime's callbacks. `place` is the callback's address on the thread's
// stack.
//
// Called in the callback that hands over the exception, before anything else. A second call for the same throw does
// nothing.
void exception_thrown(ProfilerInfo& info, ObjectID exception, uintptr_t place);
// 0 if it is not known. The object does not move until it is caught.
ObjectID exception_called_from(uintptr_t place);
// Called after all listeners were.
void exception_caught_from(uintptr_t place);
// Callbacks are about to begin again after a time without any: forgets the exceptions that threads had in flight.
void forget_exceptions_in_flight();
// The runtime that made the pins cannot be asked any more. They are released by the next one, if there is one.
void forget_pins();

// The exception that the calling thread threw last and has not caught; null if it is not known. May also be called from
// managed code without a transition.
oriel_object* innermost_exception();

}  // namespace oriel::coreclr
