// One instruction of a method body, linked to its neighbours and branch targets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "il/opcode.h"

namespace oriel::il {

class Body;
class Instruction;

// A body as decoded, after the users' changes, and now.
enum class View : uint8_t { kOriginal, kBaseline, kCurrent };
inline constexpr unsigned kViewCount = 3;

inline constexpr uint32_t kNoOffset = 0xffffffff;

// Values taken from, then put on, the evaluation stack.
struct StackEffect {
  uint16_t pops = 0;
  uint16_t pushes = 0;
  bool operator==(const StackEffect&) const = default;
};

// Made and owned by its Body; freed only with the Body, even if removed. Read here, changed through Body.
class Instruction {
 public:
  // Branches always show their long form: encode() chooses the size.
  Opcode opcode() const { return opcode_; }
  const OpcodeInfo& info() const { return il::info(opcode_); }
  // The end mark behind the last instruction: inserting before it appends, and a region that ends there ends with the
  // code.
  bool is_end() const { return opcode_ == Opcode::End; }

  // The operand, sign-extended if signed: constants (floats as their bits), tokens, indexes.
  int64_t operand() const { return operand_; }
  uint32_t token() const { return static_cast<uint32_t>(operand_); }

  // Neighbours in a view, null if the instruction is not in it. The list is a ring through the end mark.
  Instruction* next(View view = View::kCurrent) const { return links_[index_of(view)].next; }
  Instruction* previous(View view = View::kCurrent) const { return links_[index_of(view)].previous; }
  bool is_in(View view) const { return next(view) != nullptr; }

  // Target of a branch in a view; null for other instructions.
  Instruction* target(View view = View::kCurrent) const { return links_[index_of(view)].target; }
  // Targets of a switch in a view; empty for other instructions.
  const std::vector<Instruction*>& cases(View view = View::kCurrent) const {
    static const std::vector<Instruction*> kNone;
    return cases_ ? cases_->in_view[index_of(view)] : kNone;
  }

  // In the body as decoded; kNoOffset for an inserted instruction.
  uint32_t original_offset() const { return original_offset_; }
  // In the body as last encoded, if the instruction was in it.
  uint32_t encoded_offset() const { return encoded_offset_; }
  // Position in the list of the last Body::number().
  uint32_t index() const { return index_; }

  // A call's stack effect if its maker declared it, see Body::make_call.
  bool has_declared_effect() const { return has_declared_effect_; }
  StackEffect declared_effect() const { return declared_effect_; }

 private:
  friend class Body;
  friend class Decoder;
  friend class Layout;

  struct Links {
    Instruction* previous = nullptr;
    Instruction* next = nullptr;
    Instruction* target = nullptr;
  };
  struct Cases {
    std::array<std::vector<Instruction*>, kViewCount> in_view;
  };
  static constexpr unsigned index_of(View view) { return static_cast<unsigned>(view); }
  Links& now() { return links_[index_of(View::kCurrent)]; }

  Opcode opcode_ = Opcode::Nop;
  bool long_branch_ = false;  // never encoded short, so that an unedited body keeps its bytes
  bool has_declared_effect_ = false;
  StackEffect declared_effect_;
  uint32_t original_offset_ = kNoOffset;
  uint32_t encoded_offset_ = kNoOffset;
  uint32_t index_ = 0;
  int64_t operand_ = 0;
  Cases* cases_ = nullptr;  // owned by the Body
  std::array<Links, kViewCount> links_;
};

}  // namespace oriel::il
