// The source name of a value, from the code that loads it: a field, a property, an argument.
#pragma once

#include <cstdint>
#include <string>

#include "assembly/code_place.h"

namespace oriel::assembly {

struct ValueName {
  std::string name;    // "Shop.Till._gate", "typeof(Shop.Till)", "this", "gate" (an argument); "" if unknown
  uint32_t field = 0;  // row, if it is a field of this assembly
};

// For the value that an instruction of the method produced.
ValueName value_name(const Assembly& assembly, const il::Instruction& source, uint32_t method,
                     const il::MethodFacts& facts);

}  // namespace oriel::assembly
