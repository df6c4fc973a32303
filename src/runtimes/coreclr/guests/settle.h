// What guests made of a method, before it is compiled.
#pragma once

#include "runtimes/coreclr/guests/house.h"

namespace oriel::coreclr {

// All guests have been told that the function is to be compiled, Oriel not yet: of what they made of its method so far
// the runtime keeps what it could compile, and Oriel puts its own on top again where it had. Once for all that they
// made, as a check takes about as long as they do. Any thread that the runtime tells of compilations.
void settle(House& house, FunctionID function);
void settle(House& house, const MethodKey& key);

}  // namespace oriel::coreclr
