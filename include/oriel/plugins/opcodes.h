// Opcodes as plug-ins number them: for two-byte opcodes FE xx it is 0x100 + xx.
#pragma once

#include <cstdint>

namespace oriel::plugins {

enum class Opcode : int32_t {
#define ORIEL_IL_OPCODE(spelling, name, encoding, operand, pops, pushes, flow) \
  spelling = (encoding) < 0x100 ? (encoding) : 0x100 + ((encoding)&0xff),
#include "oriel/opcodes.def"
#undef ORIEL_IL_OPCODE
  None = 0xffff,
};

enum class OperandType : int32_t {
  kNone,
  kByte,
  kInt,
  kUShort,
  kLong,
  kSingle,
  kDouble,
  kToken,
  kSwitch,
};

enum class OpcodeFlags : int32_t { kNone = 0, kMeta = 1, kUnused = 2, kBranch = 4 };

// Where an instruction comes from: the original body, CreateBaseline, or another change.
enum class Generation : int32_t { kOriginal = 1, kBaseline = 2, kNew = 3 };

// Where execution continues after an instruction.
enum class TerminationType : int32_t {
  kFallThrough,
  kBranch,
  kConditionalBranch,
  kThrow,
  kSwitch,
  kCall,          // call, jmp, newobj
  kIndirectCall,  // calli, callvirt
  kReturn,        // ret, endfinally, endfilter
  kTrap,          // break
};

}  // namespace oriel::plugins
