// Executable memory that belongs to no file: where a runtime generates code.
#pragma once

#include <cstdint>

namespace oriel {

// Whether the address is in an executable mapping that is anonymous or of a memory file. Reads /proc/self/maps again
// for an address it has not met. Any thread; not async-safe.
bool in_generated_code(uintptr_t address);

}  // namespace oriel
