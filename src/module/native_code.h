// What native code is for, told by the code itself: the runtime's libraries come without symbols, and the code that it
// makes has none. Names are in brackets, as all that no compiler gave; profile/work/category.cc knows them.
#pragma once

#include <cstdint>
#include <string_view>

#include "oriel/oriel.h"

namespace oriel::modules {

// Whether a thread whose next instruction is there is in the kernel for a system call, or on its way into one or back.
// Only the libraries that make such calls are looked at.
bool is_system_call(std::string_view library, uintptr_t address);

// What a function without a symbol is for, "[PGO counting]"; "" where its code does not tell.
const char* purpose_of_function(const oriel_native& function);

// What code that the runtime made is for, whose next instruction, or whose call, is at `address`.
const char* purpose_of_stub(uintptr_t address);

}  // namespace oriel::modules
