#include "plugins/code/opcode_facts.h"

namespace oriel::plugins {
namespace {

constexpr int32_t kTwoBytes = 0x100;
constexpr int32_t kEnd = 0x123;

// The short and long forms of instructions that have both, except branches.
constexpr Opcode kForms[][2] = {{Opcode::Ldarg_S, Opcode::Ldarg},   {Opcode::Ldarga_S, Opcode::Ldarga},
                                {Opcode::Starg_S, Opcode::Starg},   {Opcode::Ldloc_S, Opcode::Ldloc},
                                {Opcode::Ldloca_S, Opcode::Ldloca}, {Opcode::Stloc_S, Opcode::Stloc},
                                {Opcode::Ldc_I4_S, Opcode::Ldc_I4}};

Opcode alternate_of(Opcode opcode, il::Opcode known, il::OperandKind operand) {
  if (operand == il::OperandKind::Branch8) return ordinal_of(il::long_form(known));
  if (operand == il::OperandKind::Branch32) return ordinal_of(il::short_form(known));
  for (const auto& [narrow, wide] : kForms) {
    if (opcode == narrow) return wide;
    if (opcode == wide) return narrow;
  }
  return Opcode::None;
}

OperandType operand_type(il::OperandKind kind) {
  using il::OperandKind;
  switch (kind) {
    case OperandKind::None:
      return OperandType::kNone;
    case OperandKind::Int8:
    case OperandKind::UInt8:
    case OperandKind::Local8:
    case OperandKind::Argument8:
    case OperandKind::Branch8:
      return OperandType::kByte;
    case OperandKind::Local16:
    case OperandKind::Argument16:
      return OperandType::kUShort;
    case OperandKind::Int32:
    case OperandKind::Branch32:
      return OperandType::kInt;
    case OperandKind::Int64:
      return OperandType::kLong;
    case OperandKind::Float32:
      return OperandType::kSingle;
    case OperandKind::Float64:
      return OperandType::kDouble;
    case OperandKind::Switch:
      return OperandType::kSwitch;
    default:
      return OperandType::kToken;
  }
}

TerminationType termination_of(Opcode opcode, il::Flow flow) {
  switch (opcode) {
    case Opcode::Break:
      return TerminationType::kTrap;
    case Opcode::Switch:
      return TerminationType::kSwitch;
    case Opcode::Call:
    case Opcode::Jmp:
    case Opcode::Newobj:
      return TerminationType::kCall;
    case Opcode::Calli:
    case Opcode::Callvirt:
      return TerminationType::kIndirectCall;
    case Opcode::Ret:
    case Opcode::Endfinally:
    case Opcode::Endfilter:
      return TerminationType::kReturn;
    default:
      break;
  }
  switch (flow) {
    case il::Flow::Branch:
    case il::Flow::Leave:
      return TerminationType::kBranch;
    case il::Flow::CondBranch:
      return TerminationType::kConditionalBranch;
    case il::Flow::Throw:
      return TerminationType::kThrow;
    default:
      return TerminationType::kFallThrough;
  }
}

// Encodings that ECMA-335 reserves for prefixes.
std::string_view prefix_name(int32_t ordinal) {
  static constexpr std::string_view kNames[] = {"prefix7", "prefix6", "prefix5", "prefix4",
                                                "prefix3", "prefix2", "prefix1", "prefixref"};
  return ordinal >= 0xf8 && ordinal <= 0xff ? kNames[ordinal - 0xf8] : "unused";
}

}  // namespace

OpcodeFacts facts_of(Opcode opcode) {
  const auto ordinal = static_cast<int32_t>(opcode);
  OpcodeFacts facts;
  if (ordinal < 0 || ordinal >= kEnd) {
    facts.flags = OpcodeFlags::kMeta;
    return facts;
  }
  facts.opcode_bytes = ordinal < kTwoBytes ? 1 : 2;
  facts.opcode = il::find_opcode(static_cast<uint16_t>(ordinal < kTwoBytes ? ordinal : 0xfe00 | (ordinal & 0xff)));
  if (facts.opcode == il::Opcode::End) {
    facts.name = prefix_name(ordinal);
    return facts;
  }
  const il::OpcodeInfo& info = il::info(facts.opcode);
  facts.name = info.name;
  if (opcode == Opcode::Ldelem) facts.name = "ldelem.any";
  if (opcode == Opcode::Stelem) facts.name = "stelem.any";
  facts.operand_bytes = il::operand_bytes(info.operand);
  facts.operand = operand_type(info.operand);
  facts.flags = il::is_branch(info.operand) ? OpcodeFlags::kBranch : OpcodeFlags::kNone;
  facts.alternate = alternate_of(opcode, facts.opcode, info.operand);
  facts.termination = termination_of(opcode, info.flow);
  return facts;
}

Opcode ordinal_of(il::Opcode opcode) {
  const uint16_t encoding = il::info(opcode).encoding;
  return static_cast<Opcode>(encoding < kTwoBytes ? encoding : kTwoBytes | (encoding & 0xff));
}

bool is_branch(Opcode opcode) { return facts_of(opcode).flags == OpcodeFlags::kBranch; }
bool is_short_branch(Opcode opcode) { return is_branch(opcode) && facts_of(opcode).operand_bytes == 1; }
Opcode long_branch(Opcode opcode) { return is_short_branch(opcode) ? facts_of(opcode).alternate : opcode; }
bool is_call(Opcode opcode) { return opcode == Opcode::Call || opcode == Opcode::Calli || opcode == Opcode::Callvirt; }

}  // namespace oriel::plugins
