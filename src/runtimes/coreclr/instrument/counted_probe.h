// What instrumented code calls where exceptions that leave a method are told by the runtime's callbacks: methods with
// tail calls. Such a method tells before the call that it leaves. But its frame may stay, where the runtime makes an
// ordinary call of it or calls by a helper, and an exception that comes by is told by the runtime all the same. So each
// thread counts the activations that it has not told to be left, and there is one exit for each enter.
#pragma once

#include <cstdint>

#include "engine/probes.h"

namespace oriel::coreclr {

// Whether methods with tail calls whose probes these are count their activations.
constexpr bool counts_activations(uint32_t calls) {
  constexpr uint32_t kBoth = ORIEL_CALLS_ENTER | ORIEL_CALLS_EXCEPTION_LEAVE;
  return (calls & kBoth) == kBoth;
}

// Called by managed code, with a transition or without (LEAF): what the cell led to, the method, 0. With a call
// context: call_probe.h.
extern "C" void report_counted_enter(const ProbeTarget* target, oriel_method* method, const void* context);
extern "C" void report_counted_leave(const ProbeTarget* target, oriel_method* method, const void* context);

// The calling thread has an activation more.
void enter_activation(const oriel_method* method);
// Whether the calling thread has an activation of the method that was not told to be left; now it is to be.
bool leave_activation(const oriel_method* method);

}  // namespace oriel::coreclr
