#include "il/may_throw.h"

#include "il/operands.h"

namespace oriel::il {
namespace {

bool writes_argument(const Instruction& at, uint32_t index) {
  switch (at.opcode()) {
    case Opcode::Starg_S:
    case Opcode::Starg:
    case Opcode::Ldarga_S:
    case Opcode::Ldarga:
      return variable_use(at)->index == index;
    default:
      return false;
  }
}

const Instruction* before(const Instruction& at) {
  const Instruction* found = at.previous();
  while (!found->is_end() && found->info().flow == Flow::Prefix) found = found->previous();
  return found;
}

// Does no more than put one value on the stack.
bool is_load(const Instruction& at) {
  return at.info().flow == Flow::Next && at.info().pops == 0 && at.info().pushes == 1;
}

}  // namespace

MayThrow::MayThrow(const Body& body, bool has_this) : has_this_(has_this) {
  for (const Instruction* at = body.first(); has_this_ && !at->is_end(); at = at->next())
    has_this_ = !writes_argument(*at, 0);
}

bool MayThrow::is_this(const Instruction& load) const {
  if (!has_this_ || !is_load(load)) return false;
  const std::optional<VariableUse> use = variable_use(load);
  return use && use->is_argument && use->index == 0;
}

bool MayThrow::is_field_of_this(const Instruction& access) const {
  const Instruction* object = before(access);
  if (access.opcode() == Opcode::Stfld) {
    if (!is_load(*object)) return false;
    object = before(*object);
  }
  return is_this(*object);
}

bool MayThrow::at(const Instruction& instruction) const {
  switch (instruction.opcode()) {
    case Opcode::Ldfld:
    case Opcode::Ldflda:
    case Opcode::Stfld:
      return !is_field_of_this(instruction);
    case Opcode::Call:
    case Opcode::Calli:
    case Opcode::Callvirt:
    case Opcode::Newobj:
    case Opcode::Newarr:
    case Opcode::Castclass:
    case Opcode::Unbox:
    case Opcode::Unbox_Any:
    case Opcode::Ldsfld:  // the class's static constructor may run
    case Opcode::Ldsflda:
    case Opcode::Stsfld:
    case Opcode::Ldlen:
    case Opcode::Ldobj:
    case Opcode::Stobj:
    case Opcode::Cpobj:
    case Opcode::Cpblk:
    case Opcode::Initblk:
    case Opcode::Ldvirtftn:
    case Opcode::Refanyval:
    case Opcode::Ckfinite:
    case Opcode::Div:
    case Opcode::Div_Un:
    case Opcode::Rem:
    case Opcode::Rem_Un:
    case Opcode::Add_Ovf:
    case Opcode::Add_Ovf_Un:
    case Opcode::Sub_Ovf:
    case Opcode::Sub_Ovf_Un:
    case Opcode::Mul_Ovf:
    case Opcode::Mul_Ovf_Un:
      return true;
    default:
      break;
  }
  const std::string_view name = instruction.info().name;
  return name.starts_with("ldelem") || name.starts_with("stelem") || name.starts_with("ldind.") ||
         name.starts_with("stind.") || name.starts_with("conv.ovf.");
}

}  // namespace oriel::il
