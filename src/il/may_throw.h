// Which instructions may throw an exception of their own. Not counted: exceptions that may occur anywhere, such as out
// of memory, and null managed pointers, which only unsafe code makes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

class MayThrow {
 public:
  // Argument 0 of a method with `this` is non-null unless the code overwrites it.
  MayThrow(const Body& body, const MethodFacts& facts);

  bool at(const Instruction& instruction) const;

 private:
  const Instruction* maker(const Instruction& user, int32_t below) const;
  bool is_there(const Instruction& user, int32_t below) const;
  bool is_harmless_divisor(const Instruction& division) const;

  std::unordered_set<const Instruction*> targets_;  // of branches
  std::vector<bool> kept_;                          // arguments known to be non-null and never written, by index
};

}  // namespace oriel::il
