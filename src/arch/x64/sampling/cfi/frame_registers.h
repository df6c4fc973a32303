// DWARF's numbers for the x86-64 registers that a walk follows (System V ABI, figure 3.36).
#pragma once

#include <cstdint>

namespace oriel::sampling {

inline constexpr uint64_t kDwarfBase = 3;          // rbx
inline constexpr uint64_t kDwarfFramePointer = 6;  // rbp
inline constexpr uint64_t kDwarfStackPointer = 7;  // rsp
inline constexpr uint64_t kDwarfReturnAddress = 16;

}  // namespace oriel::sampling
