// Native symbols of this process: the library and the function of an address, from ELF symbol tables.
//
// Reads files on disk (and the vdso from memory) with <elf.h>: Debian's static libelf is not position-independent, so
// it cannot be linked into a shared library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::symbols {

struct Symbol {
  const char* library = nullptr;  // path, "[vdso]"; lives as long as the process
  const char* name = nullptr;     // demangled, nullptr if none; lives as long as the process
  uintptr_t start = 0;            // of the function; of the library if that is unknown
  size_t size = 0;                // 0 if unknown
};

struct Library {
  const char* path = nullptr;         // lives as long as the process
  uintptr_t bias = 0;                 // an address minus this is the link-time address
  const uint8_t* build_id = nullptr;  // likewise; nullptr if it has none
  size_t build_id_size = 0;
};

// Finds the library that has `address` mapped as code, and the function. A library's table is read on the first use of
// an address in it. Returns whether any library contains it. Any thread, not async-safe: on a program's thread the
// library's file is in the program's descriptor table while it is read.
bool find(uintptr_t address, Symbol& symbol);

// The library that has `address` mapped as code. Returns whether there is one.
bool find_library(uintptr_t address, Library& library);

// Copies code of a library from its file, as it may be unloaded by now. Returns whether all of it exists. Reads the
// file each time. Threads as for find().
bool read_code(uintptr_t address, void* to, size_t size);

// Updates the list of loaded libraries. Called by find for an address in no known library.
void refresh();

}  // namespace oriel::symbols
