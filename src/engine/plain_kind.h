// What kind of value a type in a signature has, as modules know it.
#pragma once

#include <cstdint>
#include <span>

#include "oriel/oriel.h"

namespace oriel {

// The kinds of values whose size follows from the type alone (ECMA-335 II.23.1.16).
struct PlainKind {
  oriel_value_kind kind = ORIEL_VALUE_NONE;  // NONE: value types, generic parameters, void
  uint32_t size = 0;
};
// `type` is a type as in a signature, without modifiers.
PlainKind plain_kind(std::span<const uint8_t> type);

}  // namespace oriel
