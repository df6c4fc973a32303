// What the `context` of method_enter and method_leave points to.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "oriel/oriel.h"

namespace oriel {

inline constexpr uint32_t kNoSlot = UINT32_MAX;

// One value of a method: the slot, among the words that its probe passes, that holds its address.
struct CallValue {
  oriel_value_kind kind = ORIEL_VALUE_NONE;
  uint32_t size = 0;        // 0: the word after the address is the size
  uint32_t slot = kNoSlot;  // kNoSlot: the value is not passed
  const std::string* type = nullptr;
  auto operator<=>(const CallValue&) const = default;
};

// The words that a probe passes. Lives as long as the process, like code that reads it.
struct CallLayout {
  CallValue self;
  std::vector<CallValue> arguments;
  std::vector<CallValue> locals;
  CallValue result;
  uint32_t slots = 0;
  std::strong_ordering operator<=>(const CallLayout&) const = default;
};
// Methods with more slots have no context.
inline constexpr uint32_t kMaxSlots = 200;

// The one string with this text, which lives as long as the process. Any thread; throws std::bad_alloc.
const std::string* lasting_text(std::string text);
// The one layout equal to this one, which lives as long as the process. Any thread; throws std::bad_alloc.
const CallLayout* lasting_layout(CallLayout layout);

struct CallContext {
  const CallLayout* layout;
  const uintptr_t* slots;
};

}  // namespace oriel
