// Functions that instrumented code calls. None of them throws, because no exception may enter managed code.
//
// Activations are counted for methods whose exceptional exits are reported by the runtime's callbacks: those are
// methods with tail calls. Such a method reports before the call that it leaves. But its frame may stay, if the runtime
// makes an ordinary call of it or calls through a helper, and an exception that passes through is then reported too. So
// each thread counts the activations that it has not yet reported as left; there is one exit for each enter.
#pragma once

#include <cstdint>

#include "engine/call_context.h"
#include "engine/probes.h"

namespace oriel::coreclr {

// Managed code calls these without a transition (LEAF), except for those that say otherwise. The calling convention for
// pointers is C's, also for a variable number of them.
extern "C" {
// Raises gc_allocation. Takes a reference to the new object, or null, and the method whose code allocated it.
void report_allocation(uintptr_t object, oriel_method* site);
// Raises gc_allocation_full. Called with a transition, so collections may run meanwhile, while the object is pinned.
void report_allocation_full(uintptr_t object, oriel_method* site);
// Called where an exception leaves a method, with the cell's target, the method and 0.
void report_exception_leave(const ProbeTarget* target, oriel_method* method, const void* nothing);
// Called where a method's values are requested: calls the cell's target with a call context made of the words that
// follow, layout->slots of them.
void report_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
// Like report_with_context, with a transition and while the objects that the values refer to are pinned.
void report_full_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
// Called with a transition and without a context: the cell's target, the method, and the callback's last argument.
void report_full(const ProbeTarget* target, oriel_method* method, const void* last);
// Called where activations are counted: the cell's target, the method, 0.
void report_counted_enter(const ProbeTarget* target, oriel_method* method, const void* context);
void report_counted_leave(const ProbeTarget* target, oriel_method* method, const void* context);
// With a transition.
void report_counted_full_enter(const ProbeTarget* target, oriel_method* method, const void* context);
void report_counted_full_leave(const ProbeTarget* target, oriel_method* method, const void* context);
// With a call context.
void report_counted_enter_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
void report_counted_leave_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
}

// Whether methods with tail calls and these probes count their activations.
constexpr bool counts_activations(uint32_t calls) {
  constexpr uint32_t kBoth = ORIEL_CALLS_ENTER | ORIEL_CALLS_EXCEPTION_LEAVE;
  return (calls & kBoth) == kBoth;
}
// Whether the calling thread has an activation of the method that was not reported as left. It counts as left from now
// on.
bool leave_activation(const oriel_method* method);

}  // namespace oriel::coreclr
