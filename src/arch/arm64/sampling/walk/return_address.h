// Return addresses as functions save them.
#pragma once

#include <cstdint>

namespace oriel::sampling {

// The address without the signature that code with pointer authentication puts into its upper bits. The instruction is
// a hint, which does nothing on processors without that. Async-safe.
inline uintptr_t without_signature(uintptr_t return_address) {
  register uintptr_t link asm("x30") = return_address;
  asm("hint #7" : "+r"(link));  // xpaclri
  return link;
}

}  // namespace oriel::sampling
