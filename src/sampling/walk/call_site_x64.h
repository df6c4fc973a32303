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

}  // namespace oriel::sampling
