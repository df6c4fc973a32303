// The origin of a value on the evaluation stack, within straight-line code.
#pragma once

#include "assembly/code_members.h"

namespace oriel::assembly {

// The instruction that produced the value with `above` others on top of it, just before `at`; follows copies and local
// variables. Null if unknown.
const il::Instruction* value_source(const il::Instruction* at, unsigned above, const il::MethodFacts& facts);

// Likewise without following copies and local variables: the instruction that pushed it.
const il::Instruction* pushed_by(const il::Instruction* at, unsigned above, const il::MethodFacts& facts);

// The source of a call's first operand: the object that it is made on, or a static method's first argument. Null if
// there is none.
const il::Instruction* first_operand(const il::Instruction& call, const il::MethodFacts& facts);

}  // namespace oriel::assembly
