// Executable memory: where code is at all.
#pragma once

#include <cstdint>

namespace oriel {

struct ExecutableMapping {
  uintptr_t start = 0;
  uintptr_t end = 0;       // 0: none
  bool generated = false;  // it belongs to no file, or to one in memory: where a runtime generates code
};

// The executable mapping that has the address. Reads /proc/self/maps again for an address that is in none it remembers.
// Any thread: one of the program's has the file in the program's table for a moment. Not async-safe.
ExecutableMapping executable_mapping(uintptr_t address);

// Images come and go: what is remembered may be of memory that holds something else now. Any thread; not async-safe.
void forget_executable_mappings();

}  // namespace oriel
