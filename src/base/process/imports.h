// What a loaded library takes from others: the functions that its relocation tables name.
#pragma once

#include <link.h>

#include <cstdint>

namespace oriel {

// The entry of the library's tables by which it imports `function`; its r_offset, from `base` on, is where the address
// is kept. NULL if it imports no such function. `dynamic` is its dynamic section (NULL: it has none); both are as the
// loader has them. The library must stay loaded meanwhile. Any thread.
const ElfW(Rela) * find_import(uintptr_t base, const ElfW(Dyn) * dynamic, const char* function);

// The same of what dlopen returned.
bool imports_function(void* library, const char* function);

}  // namespace oriel
