// A place in an assembly's code.
#pragma once

#include <cstdint>

#include "assembly/code_members.h"

namespace oriel::assembly {

// An instruction of a method.
struct CodePlace {
  uint32_t method = 0;  // row
  uint32_t il = 0;
};

}  // namespace oriel::assembly
