// The exceptions that are on their way on each thread, for what the runtime tells of an exception without handing it
// over: clauses, frames that it leaves, probes.
//
// They are a stack: a clause that runs for one may throw another, which is caught before the first goes on, or takes
// its place. Which of them the runtime means follows from where on the thread's stack it calls from. Since .NET 9 all
// calls for an exception come from its dispatcher, one frame that stays until it is caught; those for what is thrown
// meanwhile come from deeper, and a dispatcher that is deeper than the one which calls now is gone.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// One thread's. Plain data; what it holds as the thread ends is weak and stays.
class ExceptionStack {
 public:
  using Handle = uintptr_t;
  using Release = void (*)(Handle);

  // A new one on top, told from this address of the stack. The handle is released once the exception is known to be
  // gone.
  void thrown(Handle exception, uintptr_t place, Release release);
  // The one that the runtime means when it calls from this address; 0 if its throw was not heard.
  Handle called_from(uintptr_t place, Release release);
  // That one is caught.
  void caught_from(uintptr_t place, Release release);
  // The last that was thrown and not caught.
  Handle innermost() const { return count_ == 0 ? 0 : entries_[count_ - 1].exception; }
  void clear(Release release);

 private:
  struct Entry {
    Handle exception;
    uintptr_t place;
  };
  void remove(uint32_t index, Release release);
  void forget_deeper_than(uintptr_t place, Release release);

  static constexpr uint32_t kMost = 32;
  Entry entries_[kMost];
  uint32_t count_;
};

// One thread's with the generation that it is of: see forget_exceptions_in_flight.
struct ExceptionsInFlight {
  ExceptionStack stack;
  uint32_t generation;
};

// The calling thread's, as the runtime's callbacks tell. `place` is an address in the callback's frame.
void exception_thrown(ProfilerInfo& info, ObjectID exception, uintptr_t place);
// 0 where it is not known. It stays where it is until the callback returns.
ObjectID exception_called_from(ProfilerInfo& info, uintptr_t place);
void exception_caught_from(uintptr_t place);
// Callbacks begin again after a time without: what threads had on their way is of no account.
void forget_exceptions_in_flight();

// The calling thread's last that was thrown and not caught; null where it is not known. Also from managed code without
// a transition.
oriel_object* innermost_exception();

}  // namespace oriel::coreclr
