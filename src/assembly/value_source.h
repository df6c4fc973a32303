// Where a value on the evaluation stack comes from, as far as code without a branch tells.
#pragma once

#include "assembly/code_members.h"

namespace oriel::assembly {

// The instruction that made the value `above` of whose neighbours lie above it on the stack before `at`; through copies
// and local variables. Null if nothing tells.
const il::Instruction* value_source(const il::Instruction* at, unsigned above, const il::MethodFacts& facts);

// The same without going through copies and local variables: what put it on the stack.
const il::Instruction* pushed_by(const il::Instruction* at, unsigned above, const il::MethodFacts& facts);

// What made the value that a call takes first: the object that it is made on, or a static method's first argument. Null
// if it takes none.
const il::Instruction* first_operand(const il::Instruction& call, const il::MethodFacts& facts);

}  // namespace oriel::assembly
