// The types in a method's signature as bytes, to be put into the signature of its local variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/element.h"
#include "base/status.h"

namespace oriel::il {

// Parts of the signature they were read from, each a whole type with its modifiers.
struct MethodTypes {
  std::span<const uint8_t> result;  // of a void method: void
  std::vector<std::span<const uint8_t>> parameters;
};
Result<MethodTypes> read_method_types(std::span<const uint8_t> signature);

// Those of a LocalVarSig; empty for an empty blob.
Result<std::vector<std::span<const uint8_t>>> read_local_types(std::span<const uint8_t> signature);

// A whole type without the modifiers and pins before it.
std::span<const uint8_t> without_modifiers(std::span<const uint8_t> type);

// The kind of a whole type, without modifiers and pins; no kind at all for one that is cut off.
Element element_of(std::span<const uint8_t> type);

}  // namespace oriel::il
