#include "il/may_throw.h"

#include "il/operands.h"

namespace oriel::il {
namespace {

// The argument that the instruction overwrites, or whose address it takes.
std::optional<uint32_t> written_argument(const Instruction& at) {
  switch (at.opcode()) {
    case Opcode::Starg_S:
    case Opcode::Starg:
    case Opcode::Ldarga_S:
    case Opcode::Ldarga:
      return variable_use(at)->index;
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> constant(const Instruction& at) {
  const Opcode opcode = at.opcode();
  if (opcode >= Opcode::Ldc_I4_M1 && opcode <= Opcode::Ldc_I4_8)
    return static_cast<int64_t>(opcode) - static_cast<int64_t>(Opcode::Ldc_I4_0);
  if (opcode == Opcode::Ldc_I4_S || opcode == Opcode::Ldc_I4 || opcode == Opcode::Ldc_I8) return at.operand();
  return std::nullopt;
}

}  // namespace

MayThrow::MayThrow(const Body& body, const MethodFacts& facts) : kept_(facts.by_reference) {
  if (kept_.empty()) kept_.resize(1);
  if (facts.has_this.value_or(false)) kept_[0] = true;
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->target() != nullptr) targets_.insert(at->target());
    targets_.insert(at->cases().begin(), at->cases().end());
    const std::optional<uint32_t> written = written_argument(*at);
    if (written && *written < kept_.size()) kept_[*written] = false;
  }
}

// The instruction that pushed the value `below` the top for `user`; nullptr if that is not obvious, for instance where
// branches meet.
const Instruction* MayThrow::maker(const Instruction& user, int32_t below) const {
  const Instruction* after = &user;
  while (!targets_.contains(after)) {
    const Instruction* const at = after->previous();
    if (at->is_end() || (at->info().flow != Flow::Next && at->info().flow != Flow::Prefix)) return nullptr;
    after = at;
    if (at->opcode() == Opcode::Dup) {
      if (below > 0) --below;
      continue;
    }
    if (at->info().pushes > below) return at;
    if (at->info().pops < 0 || at->info().pushes < 0) return nullptr;
    below += at->info().pops - at->info().pushes;
  }
  return nullptr;
}

bool MayThrow::is_there(const Instruction& user, int32_t below) const {
  const Instruction* const made = maker(user, below);
  if (made == nullptr) return false;
  switch (made->opcode()) {
    case Opcode::Ldloca_S:
    case Opcode::Ldloca:
    case Opcode::Ldarga_S:
    case Opcode::Ldarga:
    case Opcode::Ldflda:
    case Opcode::Ldsflda:
    case Opcode::Ldelema:
      return true;
    default:
      break;
  }
  const std::optional<VariableUse> use = variable_use(*made);
  return use && use->is_argument && use->index < kept_.size() && kept_[use->index];
}

bool MayThrow::is_harmless_divisor(const Instruction& division) const {
  const Instruction* const made = maker(division, 0);
  const std::optional<int64_t> divisor = made ? constant(*made) : std::nullopt;
  if (!divisor || *divisor == 0) return false;
  return *divisor != -1 || division.opcode() == Opcode::Div_Un || division.opcode() == Opcode::Rem_Un;
}

bool MayThrow::at(const Instruction& instruction) const {
  switch (instruction.opcode()) {
    case Opcode::Ldfld:
    case Opcode::Ldflda:
      return !is_there(instruction, 0);
    case Opcode::Stfld:
      return !is_there(instruction, 1);
    case Opcode::Div:
    case Opcode::Div_Un:
    case Opcode::Rem:
    case Opcode::Rem_Un:
      return !is_harmless_divisor(instruction);
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
  if (name.starts_with("ldind.")) return !is_there(instruction, 0);
  if (name.starts_with("stind.")) return !is_there(instruction, 1);
  return name.starts_with("ldelem") || name.starts_with("stelem") || name.starts_with("conv.ovf.");
}

}  // namespace oriel::il
