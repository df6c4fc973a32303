// Which instructions of a body leave a new object on the stack.
#pragma once

#include <vector>

#include "il/body.h"
#include "runtimes/coreclr/type_kinds.h"

namespace oriel::coreclr {

struct AllocationSite {
  il::Instruction* at = nullptr;
  // Of a box of a generic parameter, its token and its type as in a signature: it allocates only where that is a value
  // type.
  Token parameter = 0;
  std::vector<uint8_t> parameter_type;
};

// newobj of classes, newarr, box, and calls of the core library's methods that allocate natively. What is not known to
// allocate is left out.
std::vector<AllocationSite> allocation_sites(const il::Body& body, const MethodMetadata& metadata, TypeKinds& kinds);

}  // namespace oriel::coreclr
