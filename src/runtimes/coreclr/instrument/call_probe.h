// What instrumented code calls where a method's values are asked for.
#pragma once

#include "engine/call_context.h"
#include "engine/probes.h"

namespace oriel::coreclr {

// Calls what the cell led to with a call context made of the words that follow: layout->slots of them. Called by
// managed code without a transition (LEAF), whose convention for pointers is C's, also for a variable number of them.
extern "C" void report_with_context(const ProbeTarget* target, oriel_method* method, const CallLayout* layout, ...);
// The same where activations are counted (counted_probe.h).
extern "C" void report_counted_enter_with_context(const ProbeTarget* target, oriel_method* method,
                                                  const CallLayout* layout, ...);
extern "C" void report_counted_leave_with_context(const ProbeTarget* target, oriel_method* method,
                                                  const CallLayout* layout, ...);

}  // namespace oriel::coreclr
