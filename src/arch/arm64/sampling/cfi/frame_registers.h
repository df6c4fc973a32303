// DWARF's numbers for the arm64 registers that a walk follows (DWARF for the Arm 64-bit Architecture, section 4.1).
#pragma once

#include <cstdint>

namespace oriel::sampling {

inline constexpr uint64_t kDwarfBase = UINT64_MAX;  // none
inline constexpr uint64_t kDwarfFramePointer = 29;  // x29
inline constexpr uint64_t kDwarfLinkRegister = 30;  // x30
inline constexpr uint64_t kDwarfStackPointer = 31;

}  // namespace oriel::sampling
