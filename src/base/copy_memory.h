// Memory of this process that may not be there.
#pragma once

#include <cstddef>

namespace oriel {

// Through the system, which does not fault where nothing is mapped, or a file that was cut short since. Whether all of
// it could be read. Async-safe.
bool copy_memory(const void* from, void* to, size_t size);

// Is there a byte? Yes also where the system does not tell (a container may forbid to ask). Async-safe.
bool is_readable(const void* byte);

}  // namespace oriel
