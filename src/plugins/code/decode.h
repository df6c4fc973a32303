// From the bytes of a method to instructions that a plug-in may hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "plugins/code/clauses.h"
#include "plugins/code/instruction.h"

namespace oriel::plugins {

// A clause of a body just decoded; places are indexes of instructions, the last of each region inclusive.
struct DecodedClause {
  uint32_t flags;
  Token type;
  int32_t at[ExceptionClause::kPlaces];  // -1: none
};

struct DecodedBody {
  std::vector<ComPtr<Instruction>> instructions;  // of original offsets
  std::vector<DecodedClause> clauses;
  Token locals = 0;
};

// Of a whole body with its header.
Result<DecodedBody> decode_body(std::span<const uint8_t> bytes);
// Of code alone. Empty code is no instruction.
Status decode_code(std::span<const uint8_t> code, std::vector<ComPtr<Instruction>>& instructions);

}  // namespace oriel::plugins
