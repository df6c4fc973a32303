// The code before a return address.
#pragma once

#include <cstdint>

namespace oriel::sampling {

struct CallSite {
  bool is_call = false;     // the instruction before the address is a call
  bool of_funclet = false;  // to a part of the same method, which runs with the method's own frame pointer
};

// Reads the code before `address`. Async-safe.
CallSite read_call_site(uintptr_t address);

}  // namespace oriel::sampling
