#include "runtimes/coreclr/instrument/probe_calls.h"

#include <cstdarg>

#include "base/process/kept_errno.h"
#include "engine/engine.h"
#include "runtimes/coreclr/asked_elsewhere.h"
#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/names/objects.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

void call(const ProbeTarget& target, oriel_method* method, const void* last) {
  // The callbacks of all three events take the same arguments, except for the type of the last, which is a pointer.
  const auto callback =
      reinterpret_cast<oriel_method_enter_cb>(const_cast<void*>(target.code.load(std::memory_order_acquire)));
  callback(target.profiler, method, last);
}

void call_with_words(const ProbeTarget& target, oriel_method* method, const CallLayout* layout, va_list words) {
  uintptr_t slots[kMaxSlots];
  for (uint32_t i = 0; i < layout->slots; ++i) slots[i] = va_arg(words, uintptr_t);
  const CallContext context{layout, slots};
  call(target, method, &context);
}

// Both events of allocations take the same arguments.
inline void tell_allocation(uint32_t event, uintptr_t object, oriel_method* site) {
  const ProbeTarget* target = probe_cell(event).load(std::memory_order_acquire);
  if (object == 0 || target == nullptr) return;
  const ObjectFacts facts = object_facts(object);
  oriel_class* klass = find_class(facts.class_id);
  if (__builtin_expect(klass == nullptr, 0)) {
    const KeptErrno kept;  // interning a class allocates
    try {
      klass = intern_class(facts.class_id);
    } catch (...) {
      return;
    }
  }
  const auto callback =
      reinterpret_cast<oriel_gc_allocation_cb>(const_cast<void*>(target->code.load(std::memory_order_acquire)));
  callback(target->profiler, klass, facts.size, reinterpret_cast<oriel_object*>(object), site);
}

// The calling thread has entered the method once more. If there is no memory, the activation is not counted, as if it
// had already been reported as left.
void enter_activation(const oriel_method* method) {
  const KeptErrno kept;
  try {
    if (PerThreadState* const own = per_thread_state()) ++own->activations[method];
  } catch (...) {
  }
}

}  // namespace

bool leave_activation(const oriel_method* method) {
  // If nobody listens to enters, activations are not counted.
  if (probe_cell(oriel_event_method_enter).load(std::memory_order_acquire) == nullptr) return true;
  PerThreadState* const own = per_thread_state();
  if (own == nullptr) return false;
  const auto found = own->activations.find(method);
  if (found == own->activations.end() || found->second == 0) return false;
  --found->second;
  return true;
}

extern "C" __attribute__((visibility("hidden"))) void report_allocation(uintptr_t object, oriel_method* site) {
  tell_allocation(oriel_event_gc_allocation, object, site);
}

extern "C" __attribute__((visibility("hidden"))) void report_allocation_full(uintptr_t object, oriel_method* site) {
  const AskedElsewhere asked;
  tell_allocation(oriel_event_gc_allocation_full, object, site);
}

extern "C" __attribute__((visibility("hidden"))) void report_full_with_context(const ProbeTarget* target,
                                                                               oriel_method* method,
                                                                               const CallLayout* layout, ...) {
  const AskedElsewhere asked;
  va_list words;
  va_start(words, layout);
  call_with_words(*target, method, layout, words);
  va_end(words);
}

extern "C" __attribute__((visibility("hidden"))) void report_full(const ProbeTarget* target, oriel_method* method,
                                                                  const void* last) {
  const AskedElsewhere asked;
  call(*target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_exception_leave(const ProbeTarget* target,
                                                                             oriel_method* method, const void*) {
  // The runtime has just reported the clause that calls this.
  oriel_object* const exception = innermost_exception();
  const auto callback = reinterpret_cast<oriel_method_exception_leave_cb>(
      const_cast<void*>(target->code.load(std::memory_order_acquire)));
  callback(target->profiler, method, exception);
}

extern "C" __attribute__((visibility("hidden"))) void report_with_context(const ProbeTarget* target,
                                                                          oriel_method* method,
                                                                          const CallLayout* layout, ...) {
  va_list words;
  va_start(words, layout);
  call_with_words(*target, method, layout, words);
  va_end(words);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_enter(const ProbeTarget* target,
                                                                           oriel_method* method, const void* last) {
  enter_activation(method);
  call(*target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_leave(const ProbeTarget* target,
                                                                           oriel_method* method, const void* last) {
  if (leave_activation(method)) call(*target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_full_enter(const ProbeTarget* target,
                                                                                oriel_method* method,
                                                                                const void* last) {
  enter_activation(method);
  report_full(target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_full_leave(const ProbeTarget* target,
                                                                                oriel_method* method,
                                                                                const void* last) {
  if (leave_activation(method)) report_full(target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_enter_with_context(const ProbeTarget* target,
                                                                                        oriel_method* method,
                                                                                        const CallLayout* layout, ...) {
  enter_activation(method);
  va_list words;
  va_start(words, layout);
  call_with_words(*target, method, layout, words);
  va_end(words);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_leave_with_context(const ProbeTarget* target,
                                                                                        oriel_method* method,
                                                                                        const CallLayout* layout, ...) {
  if (!leave_activation(method)) return;
  va_list words;
  va_start(words, layout);
  call_with_words(*target, method, layout, words);
  va_end(words);
}

}  // namespace oriel::coreclr
