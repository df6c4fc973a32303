#include "assembly/value_source.h"

#include "il/operands.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

constexpr int kMostSteps = 16;

bool goes_on(il::Flow flow) { return flow == il::Flow::Next || flow == il::Flow::Prefix || flow == il::Flow::Call; }

bool is_load_of_local(const Instruction& one, uint32_t& index) {
  const std::optional<il::VariableUse> use = il::variable_use(one);
  if (!use || use->is_argument || one.info().pushes != 1 || one.info().pops != 0) return false;
  index = use->index;
  return true;
}

// The nearest preceding instruction that stores into the local variable.
const Instruction* store_before(const Instruction* at, uint32_t index) {
  for (const Instruction* one = at->previous(); one && !one->is_end(); one = one->previous()) {
    const std::optional<il::VariableUse> use = il::variable_use(*one);
    if (use && !use->is_argument && use->index == index && one->info().pops == 1) return one;
  }
  return nullptr;
}

}  // namespace

const Instruction* pushed_by(const Instruction* at, unsigned above, const il::MethodFacts& facts) {
  for (const Instruction* one = at->previous(); one && !one->is_end(); one = one->previous()) {
    const std::optional<il::StackEffect> effect = il::stack_effect(*one, facts);
    if (!effect || !goes_on(one->info().flow)) return nullptr;
    if (above < effect->pushes) return one;
    above = above - effect->pushes + effect->pops;
  }
  return nullptr;
}

const Instruction* value_source(const Instruction* at, unsigned above, const il::MethodFacts& facts) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Instruction* const one = pushed_by(at, above, facts);
    if (!one) return nullptr;
    uint32_t local = 0;
    above = 0;
    if (one->opcode() == Opcode::Dup || one->opcode() == Opcode::Castclass) {
      at = one;
    } else if (is_load_of_local(*one, local)) {
      at = store_before(one, local);
      if (!at) return nullptr;
    } else {
      return one;
    }
  }
  return nullptr;
}

const Instruction* first_operand(const Instruction& call, const il::MethodFacts& facts) {
  const std::optional<il::StackEffect> effect = il::stack_effect(call, facts);
  return effect && effect->pops != 0 ? value_source(&call, effect->pops - 1u, facts) : nullptr;
}

}  // namespace oriel::assembly
