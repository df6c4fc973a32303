// Which instructions of a body leave a new object on the stack.
#pragma once

#include <vector>

#include "il/body.h"
#include "runtimes/coreclr/instrument/type_kinds.h"

namespace oriel::coreclr {

struct AllocationSite {
  il::Instruction* at = nullptr;  // leaves a reference to the new object, or null, on the stack
  // For a box of a generic parameter: its token, and its type as in a signature. It allocates only if that is a value
  // type.
  Token parameter = 0;
  std::vector<uint8_t> parameter_type;
};

// newobj of classes, newarr, box, and in the core library the allocations of the runtime's native code. Instructions
// that are not known to allocate are left out. May insert instructions that do nothing.
std::vector<AllocationSite> allocation_sites(il::Body& body, Token method, const ModuleMetadata& metadata,
                                             TypeKinds& kinds);

}  // namespace oriel::coreclr
