// From a Body to the bytes of a method body.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

// Where an instruction of the original body is now. Inserted ones are in no pair, removed ones neither.
struct OffsetPair {
  uint32_t original;
  uint32_t now;
  bool operator==(const OffsetPair&) const = default;
};

struct Encoded {
  std::vector<uint8_t> bytes;   // header, code, sections; to be placed at a multiple of four
  std::vector<OffsetPair> map;  // by rising `original` unless instructions were moved
  uint32_t code_bytes = 0;
  uint16_t max_stack = 0;
};

struct EncodeOptions {
  bool long_branches = false;
  bool fat_header = false;
  // Max stack is what the code takes, also where the header that was decoded had more.
  bool least_stack = false;
};

// Branches are short where they reach, except those decoded long: a body nobody edited keeps its bytes. The tiny header
// is kept while it will do. max_stack is what compute_stack finds, and lowered only on request. Sets
// Instruction::encoded_offset. Refuses a body with a misplaced link, a stack fault, or more than the format holds;
// verify() checks much more.
Result<Encoded> encode(Body& body, const MethodFacts& facts = {}, const EncodeOptions& options = {});

}  // namespace oriel::il
