// What guests made of a method, before it is compiled.
#pragma once

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// All guests have been told that the function is to be compiled, Oriel not yet: of what they made of its method so far
// the runtime keeps what it could compile, and Oriel puts its own on top again where it had. Waits for a thread that is
// at that for the same method. Any thread that the runtime tells of compilations.
void settle(House& house, FunctionID function);
void settle(House& house, const MethodKey& key);

// Another guest is to be shown what those before it made: not what the runtime would reject. Only on a thread that has
// the method's turn; else does nothing.
void drop_unsound(House& house, const MethodKey& key);

}  // namespace oriel::coreclr
