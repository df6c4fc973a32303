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
  uintptr_t start = 0;            // of the function; of the library if it is not known where that begins
  size_t size = 0;                // 0 if not known
};

struct Library {
  const char* path = nullptr;         // lives as long as the process
  uintptr_t bias = 0;                 // an address less this is as linked
  const uint8_t* build_id = nullptr;  // likewise; nullptr if it has none
  size_t build_id_size = 0;
};

// Finds the library that has `address` mapped as code, and its function. A library's table is read on the first
// address in it. Returns whether any library has it. Any thread, not async-safe: one of the
// program's has the library's file in the program's table as long as it is read.
bool find(uintptr_t address, Symbol& symbol);

// The library that has `address` mapped as code, as find() does. Returns whether any has.
bool find_library(uintptr_t address, Library& library);

// Copies code of a library as its file has it, which may be gone from memory by now. Returns whether all of it is
// there. Reads the file each time. Threads as for find().
bool read_code(uintptr_t address, void* to, size_t size);

// Looks for libraries loaded or unloaded since. Called by find on an address that no known library has.
void refresh();

}  // namespace oriel::symbols
