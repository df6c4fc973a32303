// The exceptions that are on their way on each thread, for what the runtime tells of an exception without handing it
// over: clauses, frames that it leaves, probes.
//
// They are a stack: a clause that runs for one may throw another, which is caught before the first goes on, or takes
// its place. Which of them the runtime means follows from where on the thread's stack it calls from. Since .NET 9 all
// calls for an exception come from its dispatcher, one frame that stays until it is caught; those for what is thrown
// meanwhile come from deeper, and a dispatcher that is deeper than the one which calls now is gone.
//
// Each is pinned until it is caught. .NET 9 and 10 keep an exception's address where no collection finds it while they
// tell of a filter, and collections may run meanwhile (dotnet/runtime#132462): the filter got an address at which there
// was no exception any more. docs/design/callbacks.md has when collections may run.
#pragma once

#include <cstdint>
#include <vector>

#include "oriel/oriel.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// One thread's.
class ExceptionStack {
 public:
  using Handle = uintptr_t;
  using Release = void (*)(Handle);

  // Further apart than calls for one exception, and nearer than those for two (exceptions_in_flight.cc).
  static constexpr uintptr_t kSamePlace = 6144;
  // Each has kSamePlace of the thread's stack, so that more are only where a thread has several stacks: of these the
  // oldest are released.
  static constexpr size_t kMost = 1024;

  // A new one on top, told from this address of the stack, and another object that is held with it (0: none). The
  // handles are released once the exception is known to be gone: caught, or with its dispatcher; at once where there is
  // no memory.
  void thrown(Handle exception, uintptr_t place, Release release, Handle beside = 0);
  // The one that the runtime means when it calls from this address; 0 if its throw was not heard.
  Handle called_from(uintptr_t place, Release release);
  // That one is caught.
  void caught_from(uintptr_t place, Release release);
  // The last that was thrown and not caught.
  Handle innermost() const { return entries_.empty() ? 0 : entries_.back().exception; }
  void clear(Release release);

 private:
  struct Entry {
    Handle exception;
    Handle beside;
    uintptr_t place;
  };
  static void release_all(const Entry& entry, Release release);
  // Those that are told from below this address.
  void forget_below(uintptr_t place, Release release);

  std::vector<Entry> entries_;  // outer ones first, by place
};

// One thread's with the generation that it is of: see forget_exceptions_in_flight.
struct ExceptionsInFlight {
  ExceptionStack stack;
  uint32_t generation = 0;
};
// Their thread ends.
void let_go(ExceptionsInFlight& exceptions);

// What there is to do depends on the runtime's version (object_pins.h).
//
// Whether all its calls for one exception come from one frame, so that what is below works.
inline bool tells_exceptions_apart(uint16_t major_version) { return major_version >= 9; }
// Whether exceptions must be pinned whenever callbacks tell of them.
inline bool leaves_exceptions_unprotected(uint16_t major_version) { return major_version == 9 || major_version == 10; }

// A callback's, in its own frame.
inline __attribute__((always_inline)) uintptr_t this_place() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

// The calling thread's, as the runtime's callbacks tell. `place` is where in the thread's stack the callback is.
//
// In the callback that hands the exception over, before anything else. Said twice of one throw it counts once.
void exception_thrown(ProfilerInfo& info, ObjectID exception, uintptr_t place);
// 0 where it is not known. It stays where it is until it is caught.
ObjectID exception_called_from(uintptr_t place);
// Once all have heard of it.
void exception_caught_from(uintptr_t place);
// Callbacks are about to begin again after a time without: what threads had on their way is of no account.
void forget_exceptions_in_flight();

// The calling thread's last that was thrown and not caught; null where it is not known. Also from managed code without
// a transition.
oriel_object* innermost_exception();

}  // namespace oriel::coreclr
