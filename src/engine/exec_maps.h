// Executable memory: where code is at all.
#pragma once

#include <cstdint>

namespace oriel {

struct ExecutableMapping {
  uintptr_t start = 0;
  uintptr_t end = 0;       // 0: none
  bool generated = false;  // it belongs to no file, or to one in memory: where a runtime generates code
};

// The executable mapping that has the address. Reads /proc/self/maps again for an address it has not met. Any thread;
// not async-safe.
ExecutableMapping executable_mapping(uintptr_t address);

}  // namespace oriel
