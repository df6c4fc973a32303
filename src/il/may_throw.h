// Which instructions may end in an exception of their own: not one that may come anywhere, as for want of memory, nor
// by a managed pointer that is null, which only unsafe code makes.
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
  // Argument 0 of a method with `this` is its object, which is there wherever the code has not put another in its
  // place.
  MayThrow(const Body& body, const MethodFacts& facts);

  bool at(const Instruction& instruction) const;

 private:
  const Instruction* maker(const Instruction& user, int32_t below) const;
  bool is_there(const Instruction& user, int32_t below) const;
  bool is_harmless_divisor(const Instruction& division) const;

  std::unordered_set<const Instruction*> targets_;  // of branches
  std::vector<bool> kept_;                          // arguments that are there and are never written, by index
};

}  // namespace oriel::il
