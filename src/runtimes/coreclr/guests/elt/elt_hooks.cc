#include "runtimes/coreclr/guests/elt/elt_hooks.h"

#include <string>

#include "base/atomic_ref.h"
#include "engine/engine.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/elt/elt_calls.h"
#include "runtimes/coreclr/guests/elt/elt_stub.h"

namespace oriel::coreclr {
namespace {

// The runtime's results (measured on 10.0).
constexpr HResult kCallOnlyFromInit = static_cast<HResult>(0x80131356);
constexpr HResult kInconsistentWithFlags = static_cast<HResult>(0x80131374);

using Mapper1 = uintptr_t (*)(FunctionID, Bool*);
using Mapper2 = uintptr_t (*)(FunctionID, void*, Bool*);

bool asks_for_info(const EventMask& mask) { return (mask.low & kNeedInfo) != 0; }
bool asks_for_hooks(const EventMask& mask) { return (mask.low & kMonitorEnterLeave) != 0; }

uintptr_t map_for_all(FunctionID function, void* hooks, Bool* hook) {
  return static_cast<EltHooks*>(hooks)->map(function, hook);
}

template <typename Function>
void* address_if(bool wanted, Function* function) {
  return wanted ? reinterpret_cast<void*>(function) : nullptr;
}

void* or_nothing(void* hook) { return hook != nullptr ? hook : reinterpret_cast<void*>(&oriel_elt_nothing); }

void warn_of(HResult result) {
  if (failed(result))
    warn(("the runtime refuses other profilers' enter and leave hooks: " + hresult_text(result)).c_str());
}

}  // namespace

HResult EltHooks::set(Guest& guest, HookKind kind, void* enter, void* leave, void* tail_call) {
  if (!guest.is_starting() || guest.is_attached()) return kCallOnlyFromInit;
  if (guest.is_notification_only()) return kInvalidArgument;
  if (enter == nullptr && leave == nullptr && tail_call == nullptr) return kInvalidArgument;
  if (kind == HookKind::kThird && asks_for_info(guest.mask())) return kInconsistentWithFlags;
  if (kind == HookKind::kThirdWithInfo && !asks_for_info(guest.mask())) return kInconsistentWithFlags;
  const std::lock_guard guard(lock_);
  GuestHooks& hooks = hooks_[guest.number()];
  if (kind < hooks.kind && kind < HookKind::kThird) return kOk;
  hooks = {enter, leave, tail_call, kind, &guest, &runtime_};
  guest.note_irreversible();
  return kOk;
}

std::optional<HResult> EltHooks::refuses(const Guest& guest, const EventMask& wanted) {
  if (!guest.is_starting()) return std::nullopt;
  const std::lock_guard guard(lock_);
  const HookKind kind = hooks_[guest.number()].kind;
  if (kind < HookKind::kThird) return std::nullopt;
  const bool fits = asks_for_hooks(wanted) && asks_for_info(wanted) == (kind == HookKind::kThirdWithInfo);
  return fits ? std::nullopt : std::optional(kInconsistentWithFlags);
}

HResult EltHooks::set_mapper(Guest& guest, void* mapper) {
  if (guest.is_notification_only()) return kInvalidArgument;
  const std::lock_guard guard(lock_);
  mappers_[guest.number()].first = mapper;
  return mapper_changed(guest);
}

HResult EltHooks::set_mapper2(Guest& guest, void* mapper, void* client) {
  if (guest.is_notification_only()) return kInvalidArgument;
  const std::lock_guard guard(lock_);
  mappers_[guest.number()].second = mapper;
  mappers_[guest.number()].client = client;
  return mapper_changed(guest);
}

HResult EltHooks::mapper_changed(Guest& guest) {
  if (stage_ == Stage::kStarting) hooks_[guest.number()].guest = &guest;
  if (stage_ != Stage::kOfOne) return kOk;
  if (only_ == nullptr) only_ = &guest;
  return only_ == &guest ? set_runtime_mapper(mappers_[guest.number()]) : kOk;
}

HResult EltHooks::set_runtime_mapper(const Mapper& mapper) {
  const HResult result = runtime_.SetFunctionIDMapper2(mapper.second, mapper.client);
  return failed(result) ? result : runtime_.SetFunctionIDMapper(mapper.first);
}

HResult EltHooks::set_runtime_hooks(HookKind kind, void* enter, void* leave, void* tail_call) {
  switch (kind) {
    case HookKind::kFirst:
      return runtime_.SetEnterLeaveFunctionHooks(enter, leave, tail_call);
    case HookKind::kSecond:
      return runtime_.SetEnterLeaveFunctionHooks2(enter, leave, tail_call);
    case HookKind::kThird:
      return runtime_.SetEnterLeaveFunctionHooks3(enter, leave, tail_call);
    case HookKind::kThirdWithInfo:
      return runtime_.SetEnterLeaveFunctionHooks3WithInfo(enter, leave, tail_call);
    case HookKind::kNone:
      break;
  }
  return kOk;
}

// A single guest with hooks may have the runtime's place if the others enable nothing that would change its hooks.
void EltHooks::all_started(std::span<Guest* const> guests, MaskUnion& masks) {
  const std::lock_guard guard(lock_);
  EventMask all;
  const Guest* last = nullptr;
  size_t count = 0;
  bool with_info = false;
  for (const Guest* guest : guests) {
    if (guest->is_out()) continue;
    all = all | guest->mask();
    const HookKind kind = hooks_[guest->number()].kind;
    if (kind == HookKind::kNone && !mappers_[guest->number()]) continue;
    with_info |= kind != HookKind::kNone && kind != HookKind::kThird;
    last = guest;
    ++count;
  }
  constexpr uint32_t kTouchesHooks = kNeedInfo | kMonitorEnterLeave;
  stage_ =
      count > 1 || (count == 1 && ((all.low ^ last->mask().low) & kTouchesHooks) != 0) ? Stage::kShared : Stage::kOfOne;
  only_ = stage_ == Stage::kOfOne ? last : nullptr;
  if (stage_ == Stage::kShared) share(masks, with_info || asks_for_info(all));
  if (only_ != nullptr) give_all_to(*only_);
}

void EltHooks::give_all_to(const Guest& guest) {
  const GuestHooks& hooks = hooks_[guest.number()];
  if (mappers_[guest.number()]) warn_of(set_runtime_mapper(mappers_[guest.number()]));
  warn_of(set_runtime_hooks(hooks.kind, hooks.enter, hooks.leave, hooks.tail_call));
}

// If nobody has a hook of a kind, the runtime need not call it.
void EltHooks::share(MaskUnion& masks, bool with_info) {
  bool enter = false, leave = false, tail_call = false;
  for (const GuestHooks& hooks : hooks_) {
    enter |= hooks.enter != nullptr;
    leave |= hooks.leave != nullptr;
    tail_call |= hooks.tail_call != nullptr;
  }
  warn_of(runtime_.SetFunctionIDMapper2(reinterpret_cast<void*>(&map_for_all), this));
  if (with_info) {
    masks.need({kEnableFrameInfo, 0});
    warn_of(set_runtime_hooks(HookKind::kThirdWithInfo, address_if(enter, call_entered), address_if(leave, call_left),
                              address_if(tail_call, call_tail_called)));
  } else {
    warn_of(set_runtime_hooks(HookKind::kThird, address_if(enter, oriel_elt_enter), address_if(leave, oriel_elt_leave),
                              address_if(tail_call, oriel_elt_tail_call)));
  }
}

void EltHooks::leave_out(const Guest& guest) {
  const std::lock_guard guard(lock_);
  for (auto& [wanted, calls] : lists_) {
    for (HookCall& call : calls) {
      if (call.hooks == nullptr || call.hooks->guest != &guest) continue;
      for (void** hook : {&call.enter, &call.leave, &call.tail_call})
        AtomicRef(*hook).store(or_nothing(nullptr), std::memory_order_relaxed);
    }
  }
}

uintptr_t EltHooks::map(FunctionID function, Bool* hook) {
  Wanted wanted{function, {}};
  for (const GuestHooks& hooks : hooks_)
    if (hooks.guest != nullptr) ask(hooks, *hook, wanted);
  *hook = wanted.ids.empty() ? 0 : 1;
  if (wanted.ids.empty()) return function;
  const std::lock_guard guard(lock_);
  std::vector<HookCall>& calls = lists_[wanted];
  if (calls.empty()) calls = list_of(wanted);
  return reinterpret_cast<uintptr_t>(calls.data());
}

void EltHooks::ask(const GuestHooks& hooks, Bool hook, Wanted& wanted) {
  if (hooks.guest->is_out() || !asks_for_hooks(hooks.guest->mask())) return;
  Mapper mapper;
  {
    const std::lock_guard guard(lock_);
    mapper = mappers_[hooks.guest->number()];
  }
  uintptr_t id = wanted.function;
  if (mapper.second != nullptr)
    id = reinterpret_cast<Mapper2>(mapper.second)(wanted.function, mapper.client, &hook);
  else if (mapper.first != nullptr)
    id = reinterpret_cast<Mapper1>(mapper.first)(wanted.function, &hook);
  if (hook != 0 && hooks.kind != HookKind::kNone) wanted.ids.emplace_back(hooks.guest->number(), id);
}

// Also right for a guest that is left out meanwhile: leave_out() runs after that, and waits for the lock.
std::vector<HookCall> EltHooks::list_of(const Wanted& wanted) const {
  std::vector<HookCall> calls;
  calls.reserve(wanted.ids.size() + 1);
  for (const auto& [number, id] : wanted.ids) {
    const GuestHooks& hooks = hooks_[number];
    const bool out = hooks.guest->is_out();
    calls.push_back({or_nothing(out ? nullptr : hooks.enter), or_nothing(out ? nullptr : hooks.leave),
                     or_nothing(out ? nullptr : hooks.tail_call), id, &hooks, wanted.function});
  }
  calls.emplace_back();
  return calls;
}

}  // namespace oriel::coreclr
