// Sizes of branches and offsets of instructions. For encode.cc only.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"

namespace oriel::il {

class Layout {
 public:
  // For a body just numbered. Sets encoded_offset of all instructions and of the end mark.
  Layout(Body& body, const std::vector<Instruction*>& order, bool all_long);
  // False: the code is too long for its offsets.
  bool run();
  uint32_t code_bytes() const { return code_bytes_; }
  bool is_long(const Instruction& branch) const { return long_[branch.index()]; }
  uint32_t size_of(const Instruction& instruction) const;

 private:
  bool place();
  bool widen();
  void widen_all();

  Body& body_;
  const std::vector<Instruction*>& order_;
  std::vector<Instruction*> branches_;
  std::vector<uint8_t> long_;  // by index
  uint32_t code_bytes_ = 0;
};

}  // namespace oriel::il
