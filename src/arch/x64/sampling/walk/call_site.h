// The code before a return address.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

struct CallSite {
  bool is_call = false;     // the instruction before the address can be a call
  bool of_funclet = false;  // to a part of the same method, which runs in the method's own frame
  uintptr_t target = 0;     // of the call, 0 if its code does not say
};

// Reads the code before `address`. Async-safe.
CallSite read_call_site(uintptr_t address);

// The target of the jump if the code at `address` is a stub that does little else, 0 if not. Async-safe.
uintptr_t jump_of_stub(uintptr_t address);

// Code that a runtime replaced while it ran (on-stack replacement): the new code's frame lies on top of the old one's.
//
// The old code calls the runtime at a patchpoint, and the runtime continues in new code, on top of the old frame, as if
// the new code had been called there. The new frame's saved frame pointer is that of the old code's caller, so a walk
// by frame pointers misses that caller: it is found at the old frame's end.

// How many bytes before a return address are needed to recognize it.
inline constexpr size_t kPatchpointBytes = 18;

// Whether the code that ends at the return address `end` (kPatchpointBytes of it) is CoreCLR's call at a patchpoint:
// lea rdi, [rbp + counter]; mov esi, IL offset; call. Async-safe.
bool is_patchpoint_call(const uint8_t* end);

}  // namespace oriel::sampling
