// Lengths of x86-64 instructions, for reading code forward from an interrupted one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// Bytes of the instruction that starts at `code`, of which `size` bytes are there; 0 if it is none we know or is cut
// off. Async-safe.
size_t instruction_length(const uint8_t* code, size_t size);

}  // namespace oriel::sampling
