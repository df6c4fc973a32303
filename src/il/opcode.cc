#include "il/opcode.h"

#include <array>

namespace oriel::il {
namespace {

constexpr OpcodeInfo kInfos[] = {
#define ORIEL_IL_OPCODE(spelling, name, encoding, operand, pops, pushes, flow) \
  {name, encoding, OperandKind::operand, pops, pushes, Flow::flow},
#include "oriel/opcodes.def"
#undef ORIEL_IL_OPCODE
    {"end", 0, OperandKind::None, 0, 0, Flow::Next},
};

// Opcodes by the last byte of their encoding: [0] for one byte, [1] after FE.
constexpr auto make_lookup() {
  std::array<std::array<Opcode, 256>, 2> lookup{};
  for (auto& page : lookup)
    for (auto& opcode : page) opcode = Opcode::End;
  for (unsigned i = 0; i < kOpcodeCount; ++i)
    lookup[kInfos[i].encoding > 0xff][kInfos[i].encoding & 0xff] = static_cast<Opcode>(i);
  return lookup;
}
constexpr auto kLookup = make_lookup();

// br.s … blt.un.s have the same order as br … blt.un.
constexpr unsigned kShortToLong = static_cast<unsigned>(Opcode::Br) - static_cast<unsigned>(Opcode::Br_S);
static_assert(static_cast<unsigned>(Opcode::Blt_Un_S) + kShortToLong == static_cast<unsigned>(Opcode::Blt_Un));

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return kInfos[static_cast<unsigned>(opcode)]; }

Opcode find_opcode(uint16_t encoding) {
  if (encoding <= 0xff) return kLookup[0][encoding];
  return (encoding >> 8) == 0xfe ? kLookup[1][encoding & 0xff] : Opcode::End;
}

unsigned operand_bytes(OperandKind kind) {
  switch (kind) {
    case OperandKind::None:
      return 0;
    case OperandKind::Int8:
    case OperandKind::UInt8:
    case OperandKind::Local8:
    case OperandKind::Argument8:
    case OperandKind::Branch8:
      return 1;
    case OperandKind::Local16:
    case OperandKind::Argument16:
      return 2;
    case OperandKind::Int64:
    case OperandKind::Float64:
      return 8;
    default:
      return 4;
  }
}

Opcode long_form(Opcode opcode) {
  if (opcode == Opcode::Leave_S) return Opcode::Leave;
  if (opcode < Opcode::Br_S || opcode > Opcode::Blt_Un_S) return opcode;
  return static_cast<Opcode>(static_cast<unsigned>(opcode) + kShortToLong);
}

Opcode short_form(Opcode opcode) {
  if (opcode == Opcode::Leave) return Opcode::Leave_S;
  return static_cast<Opcode>(static_cast<unsigned>(opcode) - kShortToLong);
}

}  // namespace oriel::il
