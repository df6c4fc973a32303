#include "il/trivial.h"

namespace oriel::il {
namespace {

constexpr unsigned kMostInstructions = 24;
constexpr uint32_t kMethodDef = 0x06;  // ECMA-335 II.22: the table in a token's first byte

enum class Step { kNothing, kStore, kCall, kReturn, kOther };

Step step_of(const Instruction& at) {
  switch (at.opcode()) {
    case Opcode::Nop:
    case Opcode::Dup:
    case Opcode::Pop:
    case Opcode::Ldarg_0:
    case Opcode::Ldarg_1:
    case Opcode::Ldarg_2:
    case Opcode::Ldarg_3:
    case Opcode::Ldarg_S:
    case Opcode::Ldarg:
    case Opcode::Ldarga_S:
    case Opcode::Ldarga:
    case Opcode::Ldloc_0:
    case Opcode::Ldloc_1:
    case Opcode::Ldloc_S:
    case Opcode::Stloc_0:
    case Opcode::Stloc_1:
    case Opcode::Stloc_S:
    case Opcode::Ldnull:
    case Opcode::Ldc_I4_M1:
    case Opcode::Ldc_I4_0:
    case Opcode::Ldc_I4_1:
    case Opcode::Ldc_I4_2:
    case Opcode::Ldc_I4_3:
    case Opcode::Ldc_I4_4:
    case Opcode::Ldc_I4_5:
    case Opcode::Ldc_I4_6:
    case Opcode::Ldc_I4_7:
    case Opcode::Ldc_I4_8:
    case Opcode::Ldc_I4_S:
    case Opcode::Ldc_I4:
    case Opcode::Ldc_I8:
    case Opcode::Ldc_R4:
    case Opcode::Ldc_R8:
    case Opcode::Ldstr:
    case Opcode::Ldfld:
    case Opcode::Ldflda:
    case Opcode::Ldsfld:
    case Opcode::Ldsflda:
    case Opcode::Volatile:
      return Step::kNothing;
    case Opcode::Br:
    case Opcode::Br_S:  // to the next instruction: non-optimizing compilers write it before the single return
      return at.target() == at.next() ? Step::kNothing : Step::kOther;
    case Opcode::Stfld:
    case Opcode::Stsfld:
      return Step::kStore;
    case Opcode::Call:
    case Opcode::Callvirt:
      return Step::kCall;
    case Opcode::Ret:
      return Step::kReturn;
    default:
      return Step::kOther;
  }
}

}  // namespace

bool is_trivial(const Body& body, MethodKind kind) {
  if (!body.clauses.empty()) return false;
  const bool constructor = kind == MethodKind::kConstructor;
  unsigned instructions = 0, stores = 0, calls = 0;
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (++instructions > kMostInstructions) return false;
    switch (step_of(*at)) {
      case Step::kNothing:
        break;
      case Step::kStore:
        ++stores;
        break;
      case Step::kCall:
        if (at->token() >> 24 != kMethodDef && !constructor) return false;
        ++calls;
        break;
      case Step::kReturn:
        return calls <= 1 && (constructor || stores + calls <= 1);
      case Step::kOther:
        return false;
    }
  }
  return false;
}

}  // namespace oriel::il
