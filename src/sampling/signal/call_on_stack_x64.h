// A call on another stack than the caller's.
#pragma once

namespace oriel::sampling {

// Calls function(argument) on the stack that ends at `top`, a multiple of 16. Debuggers and exceptions' unwinders find
// the way back to the caller's stack. Async-safe.
extern "C" __attribute__((visibility("hidden"))) void oriel_call_on_stack(void* top, void (*function)(void*),
                                                                          void* argument);

}  // namespace oriel::sampling
