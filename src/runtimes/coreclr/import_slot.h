// Calls from one loaded library into others, by way of the table of what it imports.
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// From now on the library or program at `address` (any within it) calls `replacement` where it called `function` of
// another library. Returns what it called until now; NULL, and nothing is changed, if it imports no such function or
// the table cannot be written. Threads may call meanwhile.
void* replace_import(uintptr_t address, const char* function, void* replacement);

}  // namespace oriel::coreclr
