// Inserts instructions in a row, for probes.
#pragma once

#include <cstdint>

#include "il/body.h"
#include "il/operands.h"

namespace oriel::il {

// Inserts each instruction before the same place. The branches to that place move to the first one as its argument
// says.
class Sequence {
 public:
  Sequence(Body& body, Instruction* at, Branches branches, Regions regions)
      : body_(body), at_(at), branches_(branches), regions_(regions) {}

  void add(Instruction* made) {
    body_.insert_before(at_, made, branches_, regions_);
    branches_ = Branches::kStay;
    regions_ = Regions::kOfPrevious;
  }
  void add(Opcode opcode, int64_t operand = 0) { add(body_.make(opcode, operand)); }
  void address(uint64_t value) {
    add(value == 0 ? load_int32(body_, 0) : load_int64(body_, static_cast<int64_t>(value)));
    add(Opcode::Conv_I);
  }
  void call(uint32_t signature, uint16_t arguments) {
    add(body_.make_call(Opcode::Calli, signature, {static_cast<uint16_t>(arguments + 1), 0}));
  }
  Body& body() { return body_; }

 private:
  Body& body_;
  Instruction* const at_;
  Branches branches_;
  Regions regions_;
};

}  // namespace oriel::il
