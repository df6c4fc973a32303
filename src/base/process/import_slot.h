// Redirects a loaded library's calls to other libraries, through its import table.
#pragma once

#include <cstdint>

namespace oriel {

// From now on the library or program that contains `address` calls `replacement` instead of another library's
// `function`. Returns what it called before. Returns NULL and changes nothing if it imports no such function or the
// table cannot be written. Other threads may call the function meanwhile.
void* replace_import(uintptr_t address, const char* function, void* replacement);

}  // namespace oriel
