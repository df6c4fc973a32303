// Encodes a Body as the bytes of a method body.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

// An original instruction's offset and its present one. Inserted and removed instructions have no pair.
struct OffsetPair {
  uint32_t original;
  uint32_t now;
  bool operator==(const OffsetPair&) const = default;
};

struct Encoded {
  std::vector<uint8_t> bytes;   // header, code, sections; must be aligned to four bytes
  std::vector<OffsetPair> map;  // ascending by `original` unless instructions were moved
  uint32_t code_bytes = 0;
  uint16_t max_stack = 0;
};

struct EncodeOptions {
  bool long_branches = false;
  bool fat_header = false;
  // Max stack is what the code needs, even if the decoded header had more.
  bool least_stack = false;
};

// Branches are short if in reach, except those decoded long, so that an unedited body keeps its bytes. The tiny header
// is kept while it suffices. max_stack is the result of compute_stack, and is lowered only on request. Sets
// Instruction::encoded_offset. Refuses a body with an invalid link, a stack fault, or more than the format can hold;
// verify() checks much more.
Result<Encoded> encode(Body& body, const MethodFacts& facts = {}, const EncodeOptions& options = {});

}  // namespace oriel::il
