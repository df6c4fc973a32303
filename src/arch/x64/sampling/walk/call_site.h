// What stands before a return address.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

struct CallSite {
  bool is_call = false;     // the instruction before the address can be a call
  bool of_funclet = false;  // of a part of the same method: code that a runtime's method runs in its own frame
  uintptr_t target = 0;     // of the call, 0 if its code does not tell
};

// Looks at the code before `address`. Async-safe.
CallSite read_call_site(uintptr_t address);

// Where the code at `address` jumps to if it is a stub that does nothing else of note, 0 if it is none. Async-safe.
uintptr_t jump_of_stub(uintptr_t address);

// Code that a runtime replaced while it ran (on-stack replacement): the new code's frame stands on that of the old.
//
// The old code calls the runtime at a patchpoint, and the runtime goes on in new code, on top of the old frame, as if
// the new code had been called there. The new frame's saved frame pointer is that of the old code's caller, so that who
// goes on by it misses that caller: it is to be found at the old frame's end.

// How many bytes before a return address it takes to tell.
inline constexpr size_t kPatchpointBytes = 18;

// Whether the code that ends at the return address `end` (kPatchpointBytes of it) is CoreCLR's call at a patchpoint:
// lea rdi, [rbp + counter]; mov esi, IL offset; call. Async-safe.
bool is_patchpoint_call(const uint8_t* end);

}  // namespace oriel::sampling
