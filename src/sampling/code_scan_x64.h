// Where the return address of an interrupted function is, from its code: for code without call-frame information, that
// is, a runtime's methods and stubs.
//
// Such code keeps frame pointers, but not at every instruction: not before its prologue has set one up, not after its
// epilogue has taken it down, and not in small methods for which the compiler left it out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

enum class FrameState {
  kFramePointer,  // the frame pointer is this function's own
  kCallers,       // the frame pointer is still, or again, the caller's; the return address is at `offset`
};

struct ScannedCode {
  FrameState state = FrameState::kFramePointer;
  int64_t offset = 0;  // from the stack pointer
};

// How many bytes of code it is worth to look at.
inline constexpr size_t kScannedBytes = 256;

// Reads the code from the interrupted instruction on to the function's end. Async-safe.
ScannedCode scan_code(const uint8_t* code, size_t size);

}  // namespace oriel::sampling
