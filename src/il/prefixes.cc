#include "il/prefixes.h"

#include <string>

#include "il/errors.h"

namespace oriel::il {
namespace {

bool is_indirect_access(Opcode opcode) {
  return (opcode >= Opcode::Ldind_I1 && opcode <= Opcode::Stind_R8) || opcode == Opcode::Stind_I ||
         opcode == Opcode::Ldobj || opcode == Opcode::Stobj || opcode == Opcode::Ldfld || opcode == Opcode::Stfld ||
         opcode == Opcode::Cpblk || opcode == Opcode::Initblk;
}

bool is_call(Opcode opcode) { return opcode == Opcode::Call || opcode == Opcode::Calli || opcode == Opcode::Callvirt; }

bool applies(Opcode prefix, Opcode to) {
  switch (prefix) {
    case Opcode::Tailcall:
      return is_call(to);
    case Opcode::Constrained:
      return to == Opcode::Callvirt || to == Opcode::Call || to == Opcode::Ldftn;
    case Opcode::Readonly:
      // Of call: the Address method of arrays of more than one dimension.
      return to == Opcode::Ldelema || to == Opcode::Call || to == Opcode::Callvirt;
    case Opcode::Volatile:
      return is_indirect_access(to) || to == Opcode::Ldsfld || to == Opcode::Stsfld;
    case Opcode::Unaligned:
      return is_indirect_access(to);
    default:
      return true;
  }
}

}  // namespace

Status check_prefix(const Instruction& instruction) {
  if (instruction.info().flow != Flow::Prefix) return Status::ok();
  const Instruction* to = instruction.next();
  while (!to->is_end() && to->info().flow == Flow::Prefix) to = to->next();
  if (to->is_end()) return error_at(instruction, "a prefix without its instruction");
  if (!applies(instruction.opcode(), to->opcode()))
    return error_at(instruction, std::string(instruction.info().name) + " before " + std::string(to->info().name));
  if (instruction.opcode() == Opcode::Tailcall && to->next()->opcode() != Opcode::Ret)
    return error_at(instruction, "a tail call without ret behind it");
  return Status::ok();
}

}  // namespace oriel::il
