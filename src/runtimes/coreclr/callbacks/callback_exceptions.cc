// Exceptions in flight: thrown, filtered, unwound, caught.
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/names/things.h"
#include "runtimes/coreclr/object_pins.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

void push_frame(FunctionID function) {
  PerThreadState* const own = per_thread_state();
  if (own == nullptr) return;
  Unwinding& unwinding = own->unwinding;
  // An exception that replaces another leaves that one's frames behind; they must not fill the stack for good.
  if (unwinding.count == Unwinding::kMost) unwinding.count = 0;
  unwinding.frames[unwinding.count++] = function;
}

FunctionID pop_frame() {
  PerThreadState* const own = per_thread_state();
  return own == nullptr || own->unwinding.count == 0 ? 0 : own->unwinding.frames[--own->unwinding.count];
}

oriel_object* object_of(ObjectID object) { return reinterpret_cast<oriel_object*>(object); }

// Whether any listener needs to know which exception runs clauses and leaves frames.
bool exceptions_are_followed() {
  return is_wanted(oriel_event_exception_clause) || is_wanted(oriel_event_method_exception_leave);
}

}  // namespace

// If there are guests, the switchboard has pinned the exception before it called the first of them.
HResult Callback::ExceptionThrown(ObjectID exception) {
  return guarded([&] {
    const uint16_t runtime = adapter_->major_version();
    const bool until_caught =
        leaves_exceptions_unprotected(runtime) || (exceptions_are_followed() && tells_exceptions_apart(runtime));
    if (until_caught) exception_thrown(info(), exception, this_place());
    const PinnedMeanwhile pinned(info(), until_caught || !adapter_->has_pins() ? 0 : exception);
    if (is_wanted(oriel_event_exception_message)) raise_message(object_of(exception));
    raise_exception_throw(object_of(exception));
  });
}

// The message that the exception was created with; one that its class computes is not known. Neither calls the
// program's code nor allocates on its heap.
void Callback::raise_message(oriel_object* exception) {
  if (exception == nullptr) return;
  char text[ChosenMessages::kMostBytes + 1];
  const auto read = [&] {
    oriel_object* const message = adapter_->object_fields().reference_of_base(exception, "_message");
    return std::string_view(text, message != nullptr ? adapter_->text_of(message, text, sizeof text) : 0);
  };
  const uintptr_t klass = object_facts(reinterpret_cast<uintptr_t>(exception)).class_id;
  if (exception_messages_.take_new(klass, read)) raise_exception_message(exception, text);
}

HResult Callback::ExceptionSearchFilterEnter(FunctionID function) {
  return clause_entered(function, ORIEL_CLAUSE_FILTER);
}

HResult Callback::ExceptionUnwindFunctionEnter(FunctionID function) {
  return guarded([&] { push_frame(function); });
}

HResult Callback::ExceptionUnwindFunctionLeave() {
  return guarded([&] {
    const FunctionID function = pop_frame();
    if (function == 0) return;
    if (oriel_method* method = adapter_->instrumenter().bodies.leaves_by_callback(function)) {
      raise_method_exception_leave(method, object_of(exception_called_from(this_place())));
    }
    if (is_wanted(oriel_event_exception_unwind)) raise_exception_unwind(method_of(info(), function));
  });
}

HResult Callback::ExceptionUnwindFinallyEnter(FunctionID function) {
  return clause_entered(function, ORIEL_CLAUSE_FINALLY);
}

HResult Callback::ExceptionCatcherEnter(FunctionID function, ObjectID exception) {
  pop_frame();  // the frame that catches is not left
  guarded([&] { raise_clause(function, ORIEL_CLAUSE_CATCH, exception); });
  exception_caught_from(this_place());
  return kOk;
}

// Done even if nobody listens to clauses: a probe in the clause may ask for this thread's innermost exception.
HResult Callback::clause_entered(FunctionID function, oriel_clause_kind kind) {
  if (!exceptions_are_followed()) return kOk;
  const ObjectID exception = exception_called_from(this_place());
  return guarded([&] { raise_clause(function, kind, exception); });
}

void Callback::raise_clause(FunctionID function, oriel_clause_kind kind, ObjectID exception) {
  if (!is_wanted(oriel_event_exception_clause)) return;
  const std::optional<NotifiedClause> clause = adapter_->exception_clauses().notified(function, kind);
  if (clause) raise_exception_clause(method_of(info(), function), clause->kind, object_of(exception), clause->index);
}

}  // namespace oriel::coreclr
