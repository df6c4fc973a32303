// Exceptions on their way: thrown, filtered, unwound, caught.
#include "engine/engine.h"
#include "runtimes/coreclr/callback.h"
#include "runtimes/coreclr/things.h"

namespace oriel::coreclr {
namespace {

// The frames that this thread's exceptions are about to leave, innermost last: an exception in a finally block has its
// own while the one before waits. Plain data, so that a thread needs no clean-up.
constexpr uint32_t kMaxUnwinding = 32;
struct Unwinding {
  FunctionID frames[kMaxUnwinding];
  uint32_t count;
};
thread_local Unwinding unwinding;

void push_frame(FunctionID function) {
  // An exception that replaces another leaves that one's frame behind; it must not fill the stack for good.
  if (unwinding.count == kMaxUnwinding) unwinding.count = 0;
  unwinding.frames[unwinding.count++] = function;
}

FunctionID pop_frame() { return unwinding.count == 0 ? 0 : unwinding.frames[--unwinding.count]; }

oriel_object* object_of(ObjectID object) { return reinterpret_cast<oriel_object*>(object); }

}  // namespace

HResult Callback::ExceptionThrown(ObjectID exception) {
  return guarded([&] { raise_exception_throw(object_of(exception)); });
}

HResult Callback::ExceptionSearchFilterEnter(FunctionID function) {
  return guarded([&] {
    if (is_wanted(oriel_event_exception_clause)) {
      raise_exception_clause(method_of(info(), function), ORIEL_CLAUSE_FILTER, object_of(0));
    }
  });
}

HResult Callback::ExceptionUnwindFunctionEnter(FunctionID function) {
  return guarded([&] { push_frame(function); });
}

HResult Callback::ExceptionUnwindFunctionLeave() {
  return guarded([&] {
    const FunctionID function = pop_frame();
    if (function == 0) return;
    if (oriel_method* method = adapter_->instrumenter().leaves_by_callback(function)) {
      raise_method_exception_leave(method, object_of(0));
    }
    if (is_wanted(oriel_event_exception_unwind)) raise_exception_unwind(method_of(info(), function));
  });
}

HResult Callback::ExceptionUnwindFinallyEnter(FunctionID function) {
  return guarded([&] {
    if (is_wanted(oriel_event_exception_clause)) {
      raise_exception_clause(method_of(info(), function), ORIEL_CLAUSE_FINALLY, object_of(0));
    }
  });
}

HResult Callback::ExceptionCatcherEnter(FunctionID function, ObjectID exception) {
  return guarded([&] {
    pop_frame();  // the frame that catches is not left
    if (is_wanted(oriel_event_exception_clause)) {
      raise_exception_clause(method_of(info(), function), ORIEL_CLAUSE_CATCH, object_of(exception));
    }
  });
}

}  // namespace oriel::coreclr
