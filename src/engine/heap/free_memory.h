// How much memory the process may still take.
#pragma once

#include <cstdint>

namespace oriel {

// What is left to the program in any case.
inline constexpr uint64_t kMemoryToLeave = 64u << 20;

// In bytes: what the machine has, or what the process's control groups leave, whichever is less. Page cache counts as
// free. Not async-safe.
uint64_t free_memory();

}  // namespace oriel
