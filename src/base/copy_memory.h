// Access to memory of this process that may not be mapped.
#pragma once

#include <cstddef>

namespace oriel {

// Copies through a system call, which does not fault on unmapped pages or a truncated file. Returns whether all of it
// could be read. Async-safe.
bool copy_memory(const void* from, void* to, size_t size);

// Whether the byte is mapped. Also true if the system does not tell (a container may forbid the question). Async-safe.
bool is_readable(const void* byte);

}  // namespace oriel
