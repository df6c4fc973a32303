// The slots of ICorProfilerCallback and ICorProfilerInfo as values, generated from com/*.def. One template does what
// most slots share, and an overload for a slot's tag what is special.
#pragma once

#include <cstdint>
#include <type_traits>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// In vtable order, after those of IUnknown. kBegin… is the first slot of an interface.
enum class CallbackSlot : int32_t {
#define ORIEL_INTERFACE(name, ...) kBegin##name, kBefore##name = kBegin##name - 1,
#define ORIEL_SLOT(name, arguments) k##name,
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
  kCount
};

enum class InfoSlot : int32_t {
#define ORIEL_SLOT(name, arguments) k##name,
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
  kCount
};

// A slot as a type, for overloading.
template <auto Slot>
struct SlotTag {};

// MemberOf<CallbackSlot::kShutdown>::value is &ProfilerCallback::Shutdown.
template <auto Slot>
struct MemberOf;
#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT(name, arguments)                        \
  template <>                                              \
  struct MemberOf<CallbackSlot::k##name> {                 \
    static constexpr auto value = &ProfilerCallback::name; \
  };
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
#define ORIEL_SLOT(name, arguments)                           \
  template <>                                                 \
  struct MemberOf<InfoSlot::k##name> {                        \
    static constexpr auto value = &UngatedProfilerInfo::name; \
  };
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE

// One version of an interface: its first slot and its id.
struct InterfaceVersion {
  int32_t first_slot;
  Guid id;
};
inline constexpr InterfaceVersion kCallbackVersions[] = {
#define ORIEL_INTERFACE(name, ...) {static_cast<int32_t>(CallbackSlot::kBegin##name), k##name##Id},
#define ORIEL_SLOT(...)
#include "runtimes/coreclr/com/callback.def"
};
inline constexpr InterfaceVersion kInfoVersions[] = {
#undef ORIEL_INTERFACE
#define ORIEL_INTERFACE(name, ...) {static_cast<int32_t>(InfoSlot::kBegin##name), k##name##Id},
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
};

// The version of the interface that introduced a slot, from 1.
constexpr int version_of(CallbackSlot slot) {
  int version = 0;
  for (const InterfaceVersion& one : kCallbackVersions) version += one.first_slot <= static_cast<int32_t>(slot) ? 1 : 0;
  return version;
}

// For people: "JITInlining".
const char* name_of(CallbackSlot slot);
const char* name_of(InfoSlot slot);

// COM objects without a class for the interface: generated vtable slots pass their arguments to an overload of
// Self::answer. Self begins with the pointer to the vtable, and has QueryInterface, AddRef and Release as query,
// add_reference and release. No exception leaves a slot: it returns out of memory instead. Optional members of Self:
// - refusal(Slot): called first; a result other than kOk is the slot's answer.
// - reports_refusals(Slot): for these slots, refused(Slot, answer) is called with each answer that is a failure.
// - only(): while it returns an object, calls of the slots for which goes_straight(Slot) is true go directly to it.
namespace slot_functions {

inline constexpr HResult kOutOfMemory = static_cast<HResult>(0x8007000e);

template <typename Self, auto Slot, typename Member>
struct Entry;
template <typename Self, auto Slot, typename Interface, typename... Arguments>
struct Entry<Self, Slot, HResult (Interface::*)(Arguments...)> {
  static HResult call(Self* self, Arguments... arguments) noexcept {
    try {
      if constexpr (requires { requires Self::reports_refusals(Slot); }) {
        const HResult answer = unless_refused(self, arguments...);
        if (failed(answer)) self->refused(Slot, answer);
        return answer;
      }
      return unless_refused(self, arguments...);
    } catch (...) {
      return kOutOfMemory;
    }
  }
  static HResult unless_refused(Self* self, Arguments... arguments) {
    if constexpr (requires { self->refusal(Slot); }) {
      if (const HResult refused = self->refusal(Slot); refused != kOk) return refused;
    }
    if constexpr (requires { requires Self::goes_straight(Slot); }) {
      if (auto* only = self->only()) return (only->*MemberOf<Slot>::value)(arguments...);
    }
    return self->answer(SlotTag<Slot>{}, arguments...);
  }
};

template <typename Self, auto Slot>
const void* entry() {
  return reinterpret_cast<const void*>(&Entry<Self, Slot, std::remove_const_t<decltype(MemberOf<Slot>::value)>>::call);
}

template <typename Self>
struct Unknown {
  static HResult query(Self* self, const Guid& id, void** object) { return self->query(id, object); }
  static uint32_t add_reference(Self* self) { return self->add_reference(); }
  static uint32_t release(Self* self) { return self->release(); }
};

}  // namespace slot_functions

#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT_ENTRIES                                                          \
  reinterpret_cast<const void*>(&slot_functions::Unknown<Self>::query),             \
      reinterpret_cast<const void*>(&slot_functions::Unknown<Self>::add_reference), \
      reinterpret_cast<const void*>(&slot_functions::Unknown<Self>::release),

template <typename Self>
const void* const* callback_slots() {
  static const void* const slots[] = {ORIEL_SLOT_ENTRIES
#define ORIEL_SLOT(name, arguments) slot_functions::entry<Self, CallbackSlot::k##name>(),
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
  };
  return slots;
}

template <typename Self>
const void* const* info_slots() {
  static const void* const slots[] = {ORIEL_SLOT_ENTRIES
#define ORIEL_SLOT(name, arguments) slot_functions::entry<Self, InfoSlot::k##name>(),
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT
  };
  return slots;
}
#undef ORIEL_SLOT_ENTRIES
#undef ORIEL_INTERFACE

}  // namespace oriel::coreclr
