// Functions that guests have called where methods begin, end and call another in their place. The runtime has one place
// for them. A guest that is alone with its hooks gets the place, as without Oriel; several share it: what the runtime
// keeps of each method is then a list of the guests that want to hear of it, each with the id that it gave the method.
//
// What a hook throws cannot be caught: it is called by the method's own code.
#pragma once

#include <array>
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

// The versions of SetEnterLeaveFunctionHooks, of which a later one beats those before.
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

// What is called for one guest that wants to hear of a method; elt_stub.cc has the offsets. Lists of them end with
// one whose functions are null, and no others are. Once it is left out nothing is called for it, which any thread may
// see.
struct HookCall {
  void* enter = nullptr;
  void* leave = nullptr;
  void* tail_call = nullptr;
  uintptr_t id = 0;  // what the guest calls the method
  const GuestHooks* hooks = nullptr;
  FunctionID function = 0;  // what the runtime calls it
};

class EltHooks {
 public:
  explicit EltHooks(ProfilerInfo& runtime) : runtime_(runtime) {}

  // What a guest asks of the runtime, with the runtime's answers. Any thread.
  HResult set(Guest& guest, HookKind kind, void* enter, void* leave, void* tail_call);
  HResult set_mapper(Guest& guest, void* mapper);
  HResult set_mapper2(Guest& guest, void* mapper, void* client);
  // A mask that goes ill with the hooks that the guest has set: what the runtime answers then. Only while guests start.
  std::optional<HResult> refuses(const Guest& guest, const EventMask& wanted);

  // All guests have been initialized, but the runtime still starts: now it is told.
  void all_started(std::span<Guest* const> guests, MaskUnion& masks);

  // Nothing is called for it any more.
  void leave_out(const Guest& guest);

  // The list of who wants to hear of a function, which lives as long as the process; `hook`: does anybody? Calls
  // guests' own mappers. Any thread.
  uintptr_t map(FunctionID function, Bool* hook);

 private:
  // A guest may have set both; the second is asked as long as there is one.
  struct Mapper {
    void* first = nullptr;
    void* second = nullptr;
    void* client = nullptr;
    explicit operator bool() const { return first != nullptr || second != nullptr; }
  };
  enum class Stage : uint8_t { kStarting, kOfOne, kShared };
  // What a list is made of: lists of the same are the same.
  struct Wanted {
    FunctionID function;
    std::vector<std::pair<uint32_t, uintptr_t>> ids;  // by guests' numbers
    auto operator<=>(const Wanted&) const = default;
  };

  HResult mapper_changed(Guest& guest);
  HResult tell_mapper(const Mapper& mapper);
  HResult tell_hooks(HookKind kind, void* enter, void* leave, void* tail_call);
  void give_all_to(const Guest& guest);
  void share(MaskUnion& masks, bool with_info);
  void ask(const GuestHooks& hooks, Bool hook, Wanted& wanted);
  std::vector<HookCall> list_of(const Wanted& wanted) const;

  ProfilerInfo& runtime_;
  std::mutex lock_;                              // all of the following; no guest is called under it
  std::array<GuestHooks, kMostGuests> hooks_{};  // by guests' numbers; they stay as they are once all have started
  std::array<Mapper, kMostGuests> mappers_{};
  Stage stage_ = Stage::kStarting;
  const Guest* only_ = nullptr;  // whose hooks the runtime has, if it is one alone
  std::map<Wanted, std::vector<HookCall>> lists_;
};

}  // namespace oriel::coreclr
