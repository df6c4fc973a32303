// The slots of ICorProfilerCallback and ICorProfilerInfo as values, made from com/*.def: one template does for all
// slots what is done for most, and an overload for its tag what is done for a single one.
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

// A slot as a type, to overload by.
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

// Of all versions of an interface, its first slot and its id.
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

// The version of the interface that a slot came with, from 1.
constexpr int version_of(CallbackSlot slot) {
  int version = 0;
  for (const InterfaceVersion& one : kCallbackVersions) version += one.first_slot <= static_cast<int32_t>(slot) ? 1 : 0;
  return version;
}

// For people: "JITInlining".
const char* name_of(CallbackSlot slot);
const char* name_of(InfoSlot slot);

// COM objects without a class of that interface: the vtable's slots, made from the table, each hand their arguments to
// an overload of Self::answer. Self begins with the pointer to the vtable, and has QueryInterface, AddRef and Release
// as query, add_reference and release. No exception leaves a slot: it answers that there is no memory. One that has
// refusal(Slot) is asked that first: what is not kOk is the answer of any slot. One that has tells_refusals is told by
// refused(Slot, answer) of each answer that is a failure, of the slots that it says that of. One that has only() hands
// a call to that straight, while there is such, of the slots that it says goes_straight of.
namespace slot_functions {

inline constexpr HResult kOutOfMemory = static_cast<HResult>(0x8007000e);

template <typename Self, auto Slot, typename Member>
struct Entry;
template <typename Self, auto Slot, typename Interface, typename... Arguments>
struct Entry<Self, Slot, HResult (Interface::*)(Arguments...)> {
  static HResult call(Self* self, Arguments... arguments) noexcept {
    try {
      if constexpr (requires { requires Self::tells_refusals(Slot); }) {
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
