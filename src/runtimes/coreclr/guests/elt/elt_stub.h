// The assembly around hooks, which the runtime and its methods' code call by conventions of their own (System V, x64):
// where a method begins, its client id is in r14 and its caller's stack pointer in r15; where it ends, in rdi and rsi.
// There all that may be an argument or a result is in its register, and hooks keep it: so do these.
#pragma once

#include <cstdint>

extern "C" {
// Call the hooks of a list (HookCall), which is the client id, in its order.
void oriel_elt_enter();
void oriel_elt_leave();
void oriel_elt_tail_call();
// In place of a hook that a guest does not have.
void oriel_elt_nothing();
// Calls a hook of that convention, from a function of the usual one.
void oriel_elt_call(void* hook, uintptr_t id);
}
