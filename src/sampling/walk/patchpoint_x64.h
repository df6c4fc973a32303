// Code that a runtime replaced while it ran (on-stack replacement): the new code's frame stands on that of the old.
//
// The old code calls the runtime at a patchpoint, and the runtime goes on in new code, on top of the old frame, as if
// the new code had been called there. The new frame's saved frame pointer is that of the old code's caller, so that who
// goes on by it misses that caller: it is to be found at the old frame's end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// How many bytes before a return address it takes to tell.
inline constexpr size_t kPatchpointBytes = 18;

// Whether the code that ends at the return address `end` (kPatchpointBytes of it) is CoreCLR's call at a patchpoint:
// lea rdi, [rbp + counter]; mov esi, IL offset; call. Async-safe.
bool is_patchpoint_call(const uint8_t* end);

}  // namespace oriel::sampling
