// Return addresses as functions save them.
#pragma once

#include <cstdint>

namespace oriel::sampling {

// The address without a signature in its upper bits, which x64 has not. Async-safe.
inline uintptr_t without_signature(uintptr_t return_address) { return return_address; }

}  // namespace oriel::sampling
