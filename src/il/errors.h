// Errors with their place in the code.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "il/instruction.h"

namespace oriel::il {

// "IL_0012: …", an offset of the original code.
Status error_at(uint32_t il_offset, const std::string& what);
// The same of an instruction; of an inserted one "inserted before IL_0012: …".
Status error_at(const Instruction& at, const std::string& what);

}  // namespace oriel::il
