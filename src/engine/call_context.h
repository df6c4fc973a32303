// What the `context` of method_enter and method_leave points to.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "oriel/oriel.h"

namespace oriel {

inline constexpr uint32_t kNoSlot = UINT32_MAX;

// One value of a method: which of the words that its probe hands over tells its address.
struct CallValue {
  oriel_value_kind kind = ORIEL_VALUE_NONE;
  uint32_t size = 0;        // 0: the word after the address is the size
  uint32_t slot = kNoSlot;  // kNoSlot: the value is not handed over
  const std::string* type = nullptr;
  auto operator<=>(const CallValue&) const = default;
};

// What a probe hands over. Lives as long as the process: code that reads it may.
struct CallLayout {
  CallValue self;
  std::vector<CallValue> arguments;
  std::vector<CallValue> locals;
  CallValue result;
  uint32_t slots = 0;
  auto operator<=>(const CallLayout&) const = default;
};
// More is not handed over; such methods have no context.
inline constexpr uint32_t kMaxSlots = 200;

struct CallContext {
  const CallLayout* layout;
  const uintptr_t* slots;
};

}  // namespace oriel
