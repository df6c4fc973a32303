// The imports of a loaded library: the functions in its relocation tables.
#pragma once

#include <link.h>

#include <cstdint>
#include <string>
#include <vector>

namespace oriel {

// The relocation by which the library imports `function`; `base` + r_offset is where the address is stored. NULL if it
// imports no such function. `dynamic` is its dynamic section (NULL: it has none); both are as given by the loader. The
// library must stay loaded meanwhile. Any thread.
const ElfW(Rela) * find_import(uintptr_t base, const ElfW(Dyn) * dynamic, const char* function);

// Likewise for a handle from dlopen.
bool imports_function(void* library, const char* function);

// The names of all that the library imports, in no order, some several times. `library` is a handle from dlopen.
std::vector<std::string> imported_names(void* library);

}  // namespace oriel
