// Decodes a method's bytes into instructions that plug-ins can hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "plugins/code/clauses.h"
#include "plugins/code/instruction.h"

namespace oriel::plugins {

// A clause of a decoded body. Places are indexes of instructions; the last of each region is inclusive.
struct DecodedClause {
  uint32_t flags;
  Token type;
  int32_t at[ExceptionClause::kPlaces];  // -1: none
};

struct DecodedBody {
  std::vector<ComPtr<Instruction>> instructions;  // with original offsets
  std::vector<DecodedClause> clauses;
  Token locals = 0;
};

// Decodes a whole body with its header.
Result<DecodedBody> decode_body(std::span<const uint8_t> bytes);
// Decodes code without a header. Fails if it is empty.
Status decode_code(std::span<const uint8_t> code, std::vector<ComPtr<Instruction>>& instructions);

}  // namespace oriel::plugins
