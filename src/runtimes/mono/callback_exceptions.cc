// Exceptions thrown, and the clauses that they run.
#include "engine/chosen_messages.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/objects.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"

namespace oriel::mono {
namespace {

ChosenMessages& messages() {
  static auto* const made = new ChosenMessages;
  return *made;
}

// The message that the exception was made with.
void raise_message(MonoObject* exception) {
  char text[ChosenMessages::kMostBytes + 1];
  const auto klass = reinterpret_cast<uintptr_t>(class_of(exception));
  const auto read = [&] {
    MonoObject* const message = reference_in(exception, api.mono_get_exception_class(), "_message");
    return std::string_view(text, text_of(reinterpret_cast<MonoString*>(message), text, sizeof text));
  };
  if (messages().take_new(klass, read)) raise_exception_message(object_of(exception), static_cast<const char*>(text));
}

oriel_clause_kind kind_of(uint32_t kind) {
  switch (kind) {
    case kClauseFilter:
      return ORIEL_CLAUSE_FILTER;
    case kClauseFinally:
      return ORIEL_CLAUSE_FINALLY;
    case kClauseFault:
      return ORIEL_CLAUSE_FAULT;
    default:
      return ORIEL_CLAUSE_CATCH;
  }
}

}  // namespace

void on_exception_throw(MonoProfiler*, MonoObject* exception) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  guarded([&] {
    ThreadState* const own = is_wanted(oriel_event_method_exception_leave) ? thread_state() : nullptr;
    if (own) begin_flight(own->in_flight, frame, exception);
    if (is_wanted(oriel_event_exception_message)) raise_message(exception);
    raise_exception_throw(object_of(exception));
  });
}

void on_exception_clause(MonoProfiler*, MonoMethod* method, uint32_t index, uint32_t kind, MonoObject* exception) {
  guarded([&] { raise_exception_clause(record_of(method), kind_of(kind), object_of(exception), index); });
}

}  // namespace oriel::mono
