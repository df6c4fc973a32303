// What instrumented code calls. Nothing of it throws, as no exception may leave into managed code.
//
// Where exceptions that leave a method are told by the runtime's callbacks, activations are counted: those are methods
// with tail calls. Such a method tells before the call that it leaves. But its frame may stay, where the runtime makes
// an ordinary call of it or calls by a helper, and an exception that comes by is told by the runtime all the same. So
// each thread counts the activations that it has not told to be left, and there is one exit for each enter.
#pragma once

#include <cstdint>

#include "engine/call_context.h"
#include "engine/probes.h"

namespace oriel::coreclr {

// Called by managed code without a transition (LEAF) but for those that say otherwise, whose convention for pointers is
// C's, also for a variable number of them.
extern "C" {
// Raises gc_allocation. A reference to the new object, or null, and the method whose code allocated it.
void report_allocation(uintptr_t object, oriel_method* site);
// Raises gc_allocation_full: called with a transition, so that collections run beside it, while the object is pinned.
void report_allocation_full(uintptr_t object, oriel_method* site);
// Where an exception leaves a method: what the cell led to, the method, 0.
void report_exception_leave(const ProbeTarget* target, oriel_method* method, const void* nothing);
// Where a method's values are asked for: calls what the cell led to with a call context made of the words that follow,
// layout->slots of them.
void report_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
// The same with a transition, while what the values refer to is pinned.
void report_full_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
// With a transition and without a context: what the cell led to, the method, and what its callback is given last.
void report_full(const ProbeTarget* target, oriel_method* method, const void* last);
// Where activations are counted: what the cell led to, the method, 0.
void report_counted_enter(const ProbeTarget* target, oriel_method* method, const void* context);
void report_counted_leave(const ProbeTarget* target, oriel_method* method, const void* context);
// The same with a transition.
void report_counted_full_enter(const ProbeTarget* target, oriel_method* method, const void* context);
void report_counted_full_leave(const ProbeTarget* target, oriel_method* method, const void* context);
// The same with a call context.
void report_counted_enter_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
void report_counted_leave_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
}

// Whether methods with tail calls whose probes these are count their activations.
constexpr bool counts_activations(uint32_t calls) {
  constexpr uint32_t kBoth = ORIEL_CALLS_ENTER | ORIEL_CALLS_EXCEPTION_LEAVE;
  return (calls & kBoth) == kBoth;
}
// Whether the calling thread has an activation of the method that was not told to be left; now it is to be.
bool leave_activation(const oriel_method* method);

}  // namespace oriel::coreclr
