// The parts of signature blobs (ECMA-335 II.23.2) that are needed to change a method body, with types as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/text/element.h"
#include "il/instruction.h"

namespace oriel::il {

// A method's signature, of MethodDef, MemberRef or StandAloneSig.
struct MethodShape {
  bool has_this = false;
  bool explicit_this = false;  // `this` is among the parameters
  bool returns_value = false;
  uint32_t generic_parameters = 0;
  uint32_t parameters = 0;  // including those of a varargs call

  // Arguments as ldarg counts them.
  uint32_t arguments() const { return parameters + (has_this && !explicit_this ? 1 : 0); }
};
Result<MethodShape> read_method_shape(std::span<const uint8_t> signature);

// The stack effect of call, callvirt, newobj or calli with such a callee.
StackEffect call_effect(Opcode opcode, const MethodShape& callee);

// The number of local variables of a LocalVarSig; 0 for an empty blob (a method without locals).
Result<uint32_t> local_count(std::span<const uint8_t> signature);

struct NewLocals {
  std::vector<uint8_t> signature;  // the whole LocalVarSig, old locals first; the caller makes its token
  uint16_t first = 0;              // index of the first new one
};
// Appends locals of the given types (encoded as in a LocalVarSig, with constraints and modifiers) to those of
// `signature`, which is empty for a method without locals.
Result<NewLocals> add_locals(std::span<const uint8_t> signature, std::span<const std::vector<uint8_t>> types);

// The types in a method's signature as bytes, for the signature of its local variables.

// Parts of the signature they were read from, each a whole type with its modifiers.
struct MethodTypes {
  std::span<const uint8_t> result;  // void for a void method
  std::vector<std::span<const uint8_t>> parameters;
};
Result<MethodTypes> read_method_types(std::span<const uint8_t> signature);

// The types of a LocalVarSig; empty for an empty blob.
Result<std::vector<std::span<const uint8_t>>> read_local_types(std::span<const uint8_t> signature);

// The first whole type in `bytes`; empty if it is cut off or invalid.
std::span<const uint8_t> first_type(std::span<const uint8_t> bytes);

// A whole type without its leading modifiers and pins.
std::span<const uint8_t> without_modifiers(std::span<const uint8_t> type);

// The kind of a whole type without modifiers and pins; invalid if it is cut off.
Element element_of(std::span<const uint8_t> type);

}  // namespace oriel::il
