// Assembly stubs for hooks. The runtime and compiled methods call hooks by a convention of their own. On x64 (System V)
// the client id is in r14 and the caller's stack pointer in r15 on enter; on leave they are in rdi and rsi. On arm64
// they are in x10 and x11. Registers that may hold arguments or a result are preserved by hooks, and by these stubs.
#pragma once

#include <cstdint>

extern "C" {
// Call the hooks of a list (HookCall), which is the client id, in order.
void oriel_elt_enter();
void oriel_elt_leave();
void oriel_elt_tail_call();
// Replaces a hook that a guest does not have.
void oriel_elt_nothing();
// Calls a hook of that convention from an ordinary function.
void oriel_elt_call(void* hook, uintptr_t id);
}
