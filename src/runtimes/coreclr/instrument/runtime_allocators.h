// Methods of the core library for which the runtime's native code allocates.
#pragma once

#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

// A method, mostly without IL, whose result is a new object: a call of it allocates. The core library alone can call
// them.
bool is_native_allocator(const ModuleMetadata& metadata, Token callee);

// A method with IL that hands out, as its result, an object that native code made for it: what it returns is new, each
// time, and nothing else in it tells of the object. (Native code puts it into a local variable, or a pointer to the
// allocator is called.)
bool returns_new_object(const ModuleMetadata& metadata, Token method);

}  // namespace oriel::coreclr
