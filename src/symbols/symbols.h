// Native symbols of this process: which library an address belongs to and which function, from ELF symbol tables.
//
// Reads files on disk (and the vdso from memory) with <elf.h>: Debian's static libelf is not position independent, so
// it cannot be linked into a library that a program loads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::symbols {

struct Symbol {
  const char* library = nullptr;  // path, "[vdso]"; lives as long as the process
  const char* name = nullptr;     // demangled, nullptr if none; lives as long as the process
  uintptr_t start = 0;            // of the function; of the library if no name; 0 if neither
  size_t size = 0;                // 0 if unknown
};

// Finds the library that has `address` mapped as code, and its function. A library's table is read on the first
// address in it. Returns whether any library has it. Any thread, not async-safe: one of the
// program's has the library's file in the program's table as long as it is read.
bool find(uintptr_t address, Symbol& symbol);

// Looks for libraries loaded or unloaded since. Called by find on an address that no known library has.
void refresh();

}  // namespace oriel::symbols
