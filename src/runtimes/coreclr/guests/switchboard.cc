#include "runtimes/coreclr/guests/switchboard.h"

#include <algorithm>
#include <span>

#include "engine/engine.h"
#include "runtimes/coreclr/guests/guest_environment.h"
#include "runtimes/coreclr/guests/make_version.h"
#include "runtimes/coreclr/guests/reception.h"
#include "runtimes/coreclr/guests/settle.h"

namespace oriel::coreclr {
namespace {

// The newest that the runtime has: it is a superset of all before.
ComPtr<ProfilerInfo> newest_info(IUnknown& info) {
  for (size_t i = std::size(kInfoVersions); i-- > 0;) {
    ComPtr<ProfilerInfo> found;
    if (succeeded(info.QueryInterface(kInfoVersions[i].id, reinterpret_cast<void**>(found.receive())))) return found;
  }
  return {};
}

}  // namespace

HResult Switchboard::query(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  bool known = id == kIUnknownId;
  for (const InterfaceVersion& version : kCallbackVersions) known |= version.id == id;
  *object = known ? this : nullptr;
  if (known) add_reference();
  return known ? kOk : kNoInterface;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kInitialize>, IUnknown* info) {
  ComPtr<ProfilerInfo> newest = newest_info(*info);
  if (!newest) return kCancelActivation;
  house_ = new House(std::move(newest));
  auto& reception = *new Reception(*house_);
  if (!wanted_.empty()) give_guests_their_environment(*house_->runtime.get(), wanted_);
  bool any = false;
  for (const GuestSpec& spec : wanted_) any |= reception.start(spec);
  any |= reception.start_own(wanted_.empty());
  return any ? kOk : kCancelActivation;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kInitializeForAttach>, IUnknown*, void*, uint32_t) {
  warn("cannot attach to a program that runs already; start it with oriel run");
  return kNotAttachable;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kLoadAsNotificationOnly>, Bool* notification_only) {
  *notification_only = 0;
  return kOk;
}

// Each starts from the runtime's own answer; one that says no is enough.
template <CallbackSlot Slot, typename... Arguments>
HResult Switchboard::all_agree(Bool* decision, Arguments... arguments) {
  Bool all = *decision;
  for (Guest* guest : house_->guests()) {
    if (!guest->hears(Slot)) continue;
    Bool its = *decision;
    guest->call<Slot>(arguments..., &its);
    if (its == 0) all = 0;
  }
  *decision = all;
  return kOk;
}

// Oriel, the last of them, goes on top of what the others made.
HResult Switchboard::answer(SlotTag<CallbackSlot::kJITCompilationStarted>, FunctionID function, Bool safe) {
  const std::span<Guest* const> guests = house_->guests();
  const auto tell = [&](Guest* guest) {
    if (guest->hears(CallbackSlot::kJITCompilationStarted))
      guest->call<CallbackSlot::kJITCompilationStarted>(function, safe);
  };
  const auto own = std::ranges::find_if(guests, &Guest::is_oriel);
  std::for_each(guests.begin(), own, tell);
  settle(*house_, function);
  std::for_each(own, guests.end(), tell);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kJITInlining>, FunctionID caller, FunctionID callee, Bool* may) {
  settle(*house_, callee);
  return all_agree<CallbackSlot::kJITInlining>(may, caller, callee);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kJITCachedFunctionSearchStarted>, FunctionID function, Bool* use) {
  return all_agree<CallbackSlot::kJITCachedFunctionSearchStarted>(use, function);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kModuleUnloadFinished>, ModuleID module, HResult status) {
  for (Guest* guest : house_->guests())
    if (guest->hears(CallbackSlot::kModuleUnloadFinished))
      guest->call<CallbackSlot::kModuleUnloadFinished>(module, status);
  house_->bodies.module_unloading(module);
  house_->il_maps.module_unloading(module);
  house_->changed.module_unloading(module);
  house_->rejits.module_unloading(module);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kGetReJITParameters>, ModuleID module, Token method, void* control) {
  const MethodKey key = {module, method};
  uint32_t asked = house_->rejits.askers(key);
  if (asked == 0) asked = house_->rejits.asked_for_inliners();
  make_version(*house_, asked, key, *static_cast<FunctionControl*>(control));
  return kOk;
}

// A method that nobody asked for is compiled anew as it has one inlined that somebody asked for. Oriel hears of all
// code.
template <CallbackSlot Slot, typename... Arguments>
void Switchboard::tell_askers(const MethodKey& key, Arguments... arguments) {
  uint32_t asked = house_->rejits.askers(key);
  if (asked == 0) asked = house_->rejits.asked_with_inliners();
  const auto hears = [&](const Guest& guest) {
    if (guest.is_oriel()) return !guest.is_out();
    return (asked & guest.bit()) != 0 && (guest.mask().low & kEnableReJit) != 0 && guest.hears(Slot);
  };
  for (Guest* guest : house_->guests())
    if (hears(*guest)) guest->call<Slot>(arguments...);
}

std::optional<MethodKey> Switchboard::key_of(FunctionID function) {
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (failed(house_->runtime->GetFunctionInfo(function, &klass, &key.module, &key.token))) return std::nullopt;
  return key;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITCompilationStarted>, FunctionID function, ReJITID version,
                            Bool safe) {
  if (const auto key = key_of(function))
    tell_askers<CallbackSlot::kReJITCompilationStarted>(*key, function, version, safe);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITCompilationFinished>, FunctionID function, ReJITID version,
                            HResult status, Bool safe) {
  if (const auto key = key_of(function))
    tell_askers<CallbackSlot::kReJITCompilationFinished>(*key, function, version, status, safe);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITError>, ModuleID module, Token method, FunctionID function,
                            HResult status) {
  tell_askers<CallbackSlot::kReJITError>({module, method}, module, method, function, status);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kEventPipeEventDelivered>, uintptr_t provider, uint32_t event,
                            uint32_t version, uint32_t metadata_size, const uint8_t* metadata, uint32_t size,
                            const uint8_t* fields, const Guid* activity, const Guid* related, ThreadID thread,
                            uint32_t frames, uintptr_t* stack) {
  const uint32_t asked = house_->events.askers(provider, kind_of_event({metadata, metadata_size}));
  for (Guest* guest : house_->guests()) {
    if ((asked & guest->bit()) == 0 || !guest->hears(CallbackSlot::kEventPipeEventDelivered)) continue;
    guest->call<CallbackSlot::kEventPipeEventDelivered>(provider, event, version, metadata_size, metadata, size, fields,
                                                        activity, related, thread, frames, stack);
  }
  return kOk;
}

}  // namespace oriel::coreclr
