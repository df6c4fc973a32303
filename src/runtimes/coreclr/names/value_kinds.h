// The kinds of values whose type alone tells their size (ECMA-335 II.23.1.16).
#pragma once

#include <cstdint>
#include <span>

#include "oriel/oriel.h"

namespace oriel::coreclr {

struct PlainKind {
  oriel_value_kind kind = ORIEL_VALUE_NONE;  // NONE: value types, generic parameters, void
  uint32_t size = 0;
};
// Of a type as in a signature, with modifiers or without.
PlainKind plain_kind(std::span<const uint8_t> type);

}  // namespace oriel::coreclr
