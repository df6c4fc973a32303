// Guests' enter, leave and tail-call hooks. The runtime has one place for them. A guest that is alone with its hooks
// gets the place, as without Oriel. If there are several, they share it: the client id that the runtime keeps for a
// method is then a list of the guests that want its hooks, each with its own id for the method.
//
// Exceptions in a hook cannot be caught, because the method's own code calls the hook.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/guests/mask_union.h"

namespace oriel::coreclr {

// The versions of SetEnterLeaveFunctionHooks; a later one overrides earlier ones.
enum class HookKind : uint8_t { kNone, kFirst, kSecond, kThird, kThirdWithInfo };

// A guest's hooks.
struct GuestHooks {
  void* enter = nullptr;
  void* leave = nullptr;
  void* tail_call = nullptr;
  HookKind kind = HookKind::kNone;
  const Guest* guest = nullptr;
  ProfilerInfo* runtime = nullptr;
};

// The hooks to call for one guest and one method; elt_stub.cc relies on the offsets. A list of them ends with one whose
// functions are null; no others are null. Once the guest is left out, they do nothing, which takes effect on any
// thread.
struct HookCall {
  void* enter = nullptr;
  void* leave = nullptr;
  void* tail_call = nullptr;
  uintptr_t id = 0;  // the guest's id for the method
  const GuestHooks* hooks = nullptr;
  FunctionID function = 0;  // the runtime's id for it
};
// The stubs' code has these places.
static_assert(offsetof(HookCall, enter) == 0 && offsetof(HookCall, leave) == 8 && offsetof(HookCall, tail_call) == 16);
static_assert(offsetof(HookCall, id) == 24 && sizeof(HookCall) == 48);

class EltHooks {
 public:
  explicit EltHooks(ProfilerInfo& runtime) : runtime_(runtime) {}

  // A guest's requests, with the runtime's answers. Any thread.
  HResult set(Guest& guest, HookKind kind, void* enter, void* leave, void* tail_call);
  HResult set_mapper(Guest& guest, void* mapper);
  HResult set_mapper2(Guest& guest, void* mapper, void* client);
  // The runtime's error for a mask that does not fit the hooks that the guest has set. Only while guests start.
  std::optional<HResult> refuses(const Guest& guest, const EventMask& wanted);

  // All guests were initialized, and the runtime is still starting: sets its hooks now.
  void all_started(std::span<Guest* const> guests, MaskUnion& masks);

  // Its hooks are not called any more.
  void leave_out(const Guest& guest);

  // The list for a function, which lives as long as the process. `hook`: whether any guest wants hooks for it. Calls
  // guests' own mappers. Any thread.
  uintptr_t map(FunctionID function, Bool* hook);

 private:
  // A guest may have set both; the second takes precedence.
  struct Mapper {
    void* first = nullptr;
    void* second = nullptr;
    void* client = nullptr;
    explicit operator bool() const { return first != nullptr || second != nullptr; }
  };
  enum class Stage : uint8_t { kStarting, kOfOne, kShared };
  // The key of a list: equal keys share one list.
  struct Wanted {
    FunctionID function;
    std::vector<std::pair<uint32_t, uintptr_t>> ids;  // by guests' numbers
    std::strong_ordering operator<=>(const Wanted&) const = default;
  };

  HResult mapper_changed(Guest& guest);
  HResult set_runtime_mapper(const Mapper& mapper);
  HResult set_runtime_hooks(HookKind kind, void* enter, void* leave, void* tail_call);
  void give_all_to(const Guest& guest);
  void share(MaskUnion& masks, bool with_info);
  void ask(const GuestHooks& hooks, Bool hook, Wanted& wanted);
  std::vector<HookCall> list_of(const Wanted& wanted) const;

  ProfilerInfo& runtime_;
  std::mutex lock_;                              // guards all of the following; no guest is called under it
  std::array<GuestHooks, kMostGuests> hooks_{};  // by guests' numbers; constant once all have started
  std::array<Mapper, kMostGuests> mappers_{};
  Stage stage_ = Stage::kStarting;
  const Guest* only_ = nullptr;  // the guest whose hooks the runtime has, if it is the only one
  std::map<Wanted, std::vector<HookCall>> lists_;
};

}  // namespace oriel::coreclr
