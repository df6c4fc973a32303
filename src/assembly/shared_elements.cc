#include "assembly/shared_elements.h"

#include "assembly/value_source.h"
#include "il/operands.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

struct Loop {
  const Instruction* first;
  const Instruction* last;
};

// The loops, found by backward branches.
std::vector<Loop> loops(const il::Body& body) {
  std::vector<Loop> all;
  for (const Instruction* one = body.first(); !one->is_end(); one = one->next())
    if (const Instruction* to = one->target(); to && to->original_offset() <= one->original_offset())
      all.push_back({to, one});
  return all;
}

bool is_load(const Instruction& one) { return one.info().pops == 0 && one.info().pushes == 1; }

// Whether the loop stores into the variable or field that an instruction loads, or takes its address.
bool changes(const Loop& loop, const Instruction& load) {
  const std::optional<il::VariableUse> wanted = il::variable_use(load);
  const bool is_field = load.opcode() == Opcode::Ldfld || load.opcode() == Opcode::Ldsfld;
  for (const Instruction* one = loop.first;; one = one->next()) {
    if (is_field &&
        (one->opcode() == Opcode::Stfld || one->opcode() == Opcode::Stsfld || one->opcode() == Opcode::Ldflda ||
         one->opcode() == Opcode::Ldsflda) &&
        one->token() == load.token())
      return true;
    const std::optional<il::VariableUse> use = wanted ? il::variable_use(*one) : std::nullopt;
    if (use && use->is_argument == wanted->is_argument && use->index == wanted->index && one->opcode() != load.opcode())
      return true;
    if (one == loop.last) return false;
  }
}

// How far below the top of the stack the index is for an instruction that writes an element; nullopt for others.
std::optional<unsigned> index_above(Opcode opcode) {
  switch (opcode) {
    case Opcode::Stelem_I1:
    case Opcode::Stelem_I2:
    case Opcode::Stelem_I4:
    case Opcode::Stelem_I8:
    case Opcode::Stelem_R4:
    case Opcode::Stelem_R8:
      return 1;
    case Opcode::Ldelema:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ElementWrite> element_written_in_loop(const Assembly& assembly, uint32_t method) {
  const std::optional<il::Body> body = decoded_body(assembly, method);
  if (!body) return std::nullopt;
  const il::MethodFacts facts = assembly.facts(0, 0);
  for (const Loop& loop : loops(*body)) {
    for (const Instruction* one = loop.first; one != loop.last; one = one->next()) {
      const std::optional<unsigned> above = index_above(one->opcode());
      if (!above) continue;
      const Instruction* const index = pushed_by(one, *above, facts);
      const Instruction* const array = pushed_by(one, *above + 1, facts);
      if (!index || !array) continue;
      const bool is_variable = (il::variable_use(*index) && is_load(*index)) || index->opcode() == Opcode::Ldfld;
      const bool is_held = array->opcode() == Opcode::Ldsfld || array->opcode() == Opcode::Ldfld;
      if (is_variable && is_held && !changes(loop, *index) && !changes(loop, *array))
        return ElementWrite{field_of(assembly, array->token()).text(), one->original_offset()};
    }
  }
  return std::nullopt;
}

}  // namespace oriel::assembly
