#include "runtimes/coreclr/guests/switchboard.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "engine/engine.h"
#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/guests/bodies/announce_compilation.h"
#include "runtimes/coreclr/guests/bodies/compose_version.h"
#include "runtimes/coreclr/guests/bodies/validate_changes.h"
#include "runtimes/coreclr/guests/guest_cleanup.h"
#include "runtimes/coreclr/guests/guest_environment.h"
#include "runtimes/coreclr/guests/guest_loader.h"

namespace oriel::coreclr {
namespace {

// The runtime's newest version, which is a superset of all earlier ones.
ComPtr<ProfilerInfo> newest_info(IUnknown& info) {
  for (size_t i = std::size(kInfoVersions); i-- > 0;) {
    ComPtr<ProfilerInfo> found;
    if (succeeded(info.QueryInterface(kInfoVersions[i].id, reinterpret_cast<void**>(found.receive())))) return found;
  }
  return {};
}

// The sizes for the earlier slots, truncated as the runtime does it.
std::vector<uint32_t> shortened(std::span<const size_t> sizes) {
  std::vector<uint32_t> result(sizes.size());
  std::ranges::transform(sizes, result.begin(),
                         [](size_t size) { return static_cast<uint32_t>(std::min<size_t>(size, UINT32_MAX)); });
  return result;
}

}  // namespace

Switchboard::~Switchboard() {
  if (guest_loader_ == nullptr) return;
  for (Guest* guest : guest_host_->guests()) delete guest;
  delete guest_loader_;  // and with it Oriel's own callbacks, which use the host
  delete guest_host_;
}

HResult Switchboard::query(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  bool known = id == kIUnknownId;
  for (const InterfaceVersion& version : kCallbackVersions) known |= version.id == id;
  *object = known ? this : nullptr;
  if (known) add_reference();
  return known ? kOk : kNoInterface;
}

void Switchboard::make_host(ComPtr<ProfilerInfo> newest) {
  guest_host_ = new GuestHost(std::move(newest));
  guest_host_->left = [guest_host = guest_host_](const Guest& guest) { clean_up_after(*guest_host, guest); };
  guest_loader_ = new GuestLoader(*guest_host_);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kInitialize>, IUnknown* info) {
  ComPtr<ProfilerInfo> newest = newest_info(*info);
  if (!newest) return kCancelActivation;
  make_host(std::move(newest));
  GuestLoader& guest_loader = *guest_loader_;
  if (!wanted_.empty()) give_guests_their_environment(*guest_host_->runtime, wanted_);
  bool any = false;
  for (const GuestSpec& spec : wanted_) any |= guest_loader.start(spec);
  any |= guest_loader.start_own(wanted_.empty());
  guest_host_->hooks.all_started(guest_host_->guests(), guest_host_->masks);
  // While Oriel is alone, it is called directly.
  if (!wanted_.empty()) guest_host_->masks.program_starts();
  return any ? kOk : kCancelActivation;
}

// To a running program Oriel comes alone.
HResult Switchboard::answer(SlotTag<CallbackSlot::kInitializeForAttach>, IUnknown* info, void* data, uint32_t size) {
  ComPtr<ProfilerInfo> newest = newest_info(*info);
  if (!newest) return kNotAttachable;
  make_host(std::move(newest));
  return guest_loader_->attach_own(data, size);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kLoadAsNotificationOnly>, Bool* notification_only) {
  *notification_only = 0;
  return kOk;
}

// Each guest starts from the runtime's own answer; one that disagrees is enough. `only_if_well`: decisions of guests
// that return a failure do not count.
template <CallbackSlot Slot, typename... Arguments>
HResult Switchboard::all_agree(bool only_if_well, Bool* decision, Arguments... arguments) {
  Bool all = *decision;
  for (Guest* guest : guest_host_->guests()) {
    if (!guest->receives(Slot)) continue;
    Bool its = *decision;
    const HResult result = guest->call<Slot>(arguments..., &its);
    if (its == 0 && (succeeded(result) || !only_if_well)) all = 0;
  }
  *decision = all;
  return kOk;
}

// Oriel comes last, on top of the others' changes. Guests that already received this compilation, because the method's
// first code was a version's, do not receive it again.
HResult Switchboard::answer(SlotTag<CallbackSlot::kJITCompilationStarted>, FunctionID function, Bool safe) {
  const std::span<Guest* const> guests = guest_host_->guests();
  uint32_t told = 0;
  const auto tell = [&](Guest* guest) {
    if (guest->receives(CallbackSlot::kJITCompilationStarted) && (told & guest->bit()) == 0)
      guest->call<CallbackSlot::kJITCompilationStarted>(function, safe);
  };
  const auto own = std::ranges::find_if(guests, &Guest::is_oriel);
  const std::optional<MethodKey> key = key_of(function);
  std::optional<MethodTurns::Turn> turn;
  if (key) turn.emplace(guest_host_->turns, *key);
  if (key) told = guest_host_->firsts.begins(*key, function);
  std::for_each(guests.begin(), own, tell);
  if (key) validate_changes(*guest_host_, *key);
  std::for_each(own, guests.end(), tell);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kJITCompilationFinished>, FunctionID function, HResult status,
                            Bool safe) {
  const std::optional<MethodKey> key = key_of(function);
  const uint32_t told = key ? guest_host_->firsts.ends(*key, function) : 0;
  for (Guest* guest : guest_host_->guests())
    if (guest->receives(CallbackSlot::kJITCompilationFinished) && (told & guest->bit()) == 0)
      guest->call<CallbackSlot::kJITCompilationFinished>(function, status, safe);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kJITInlining>, FunctionID caller, FunctionID callee, Bool* may) {
  validate_changes(*guest_host_, callee);
  all_agree<CallbackSlot::kJITInlining>(true, may, caller, callee);
  if (*may != 0 && may_lose_clauses(callee)) *may = 0;
  return kOk;
}

// The compiler reads a callee that it inlines in two steps: first the code and the number of clauses, later the clauses
// of the body at that time. If several guests set bodies one after the other on any thread, that body may have no
// clauses.
bool Switchboard::may_lose_clauses(FunctionID function) {
  const auto makes = [](const Guest* guest) { return guest->receives(CallbackSlot::kJITCompilationStarted); };
  if (std::ranges::count_if(guest_host_->guests(), makes) < 2) return false;
  const std::optional<MethodKey> key = key_of(function);
  return key && guest_host_->bodies.had_clauses(*key);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kJITCachedFunctionSearchStarted>, FunctionID function, Bool* use) {
  return all_agree<CallbackSlot::kJITCachedFunctionSearchStarted>(false, use, function);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kModuleUnloadFinished>, ModuleID module, HResult status) {
  for (Guest* guest : guest_host_->guests())
    if (guest->receives(CallbackSlot::kModuleUnloadFinished))
      guest->call<CallbackSlot::kModuleUnloadFinished>(module, status);
  guest_host_->firsts.module_unloading(module);
  guest_host_->bodies.module_unloading(module);
  guest_host_->il_maps.module_unloading(module);
  guest_host_->changed.module_unloading(module);
  guest_host_->rejits.module_unloading(module);
  guest_host_->shown_versions.module_unloading(module);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kGarbageCollectionStarted>, int32_t count, Bool* generations,
                            uint32_t reason) {
  let_go_of_walkers();
  uint32_t walkers = 0;
  for (Guest* guest : guest_host_->guests()) {
    if (guest->receives(CallbackSlot::kGarbageCollectionStarted))
      guest->call<CallbackSlot::kGarbageCollectionStarted>(count, generations, reason);
    if (!guest->receives(CallbackSlot::kObjectReferences)) continue;
    guest->hold();
    walkers |= guest->bit();
  }
  walkers_.store(walkers, std::memory_order_relaxed);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kGarbageCollectionFinished>) {
  let_go_of_walkers();
  for (Guest* guest : guest_host_->guests())
    if (guest->receives(CallbackSlot::kGarbageCollectionFinished))
      guest->call<CallbackSlot::kGarbageCollectionFinished>();
  return kOk;
}

void Switchboard::let_go_of_walkers() {
  const uint32_t walkers = walkers_.exchange(0, std::memory_order_relaxed);
  walked_enough_.store(0, std::memory_order_relaxed);
  for (Guest* guest : guest_host_->guests())
    if ((walkers & guest->bit()) != 0) guest->let_go();
}

// The guests that receive a collection's objects are fixed as it begins. A guest that returns a failure receives no
// more objects of this collection; the runtime continues as long as others want them.
HResult Switchboard::answer(SlotTag<CallbackSlot::kObjectReferences>, ObjectID object, ClassID klass, uint32_t count,
                            ObjectID* references) {
  const uint32_t walkers = walkers_.load(std::memory_order_relaxed);
  uint32_t enough = walked_enough_.load(std::memory_order_relaxed);
  for (Guest* guest : guest_host_->guests()) {
    if ((walkers & ~enough & guest->bit()) == 0) continue;
    if (failed(guest->call_held<CallbackSlot::kObjectReferences>(object, klass, count, references)))
      walked_enough_.store(enough |= guest->bit(), std::memory_order_relaxed);
  }
  return walkers != 0 && (walkers & ~enough) == 0 ? kFail : kOk;
}

// The runtime calls the later slot first, and the earlier one with the same data only if that succeeded. Both are
// delivered here, from the later one.
template <CallbackSlot Later, CallbackSlot Earlier>
void Switchboard::tell_both(const auto& later, const auto& earlier) {
  for (Guest* guest : guest_host_->guests()) {
    if (guest->receives(Later) && failed(std::apply([&](auto... all) { return guest->call<Later>(all...); }, later)))
      continue;
    if (guest->receives(Earlier)) std::apply([&](auto... all) { guest->call<Earlier>(all...); }, earlier);
  }
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kMovedReferences2>, uint32_t count, ObjectID* from, ObjectID* to,
                            size_t* sizes) {
  std::vector<uint32_t> short_sizes = shortened({sizes, count});
  tell_both<CallbackSlot::kMovedReferences2, CallbackSlot::kMovedReferences>(
      std::tuple(count, from, to, sizes), std::tuple(count, from, to, short_sizes.data()));
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kSurvivingReferences2>, uint32_t count, ObjectID* objects,
                            size_t* sizes) {
  std::vector<uint32_t> short_sizes = shortened({sizes, count});
  tell_both<CallbackSlot::kSurvivingReferences2, CallbackSlot::kSurvivingReferences>(
      std::tuple(count, objects, sizes), std::tuple(count, objects, short_sizes.data()));
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kRootReferences2>, uint32_t count, ObjectID* objects, uint32_t* kinds,
                            uint32_t* flags, uintptr_t* ids) {
  tell_both<CallbackSlot::kRootReferences2, CallbackSlot::kRootReferences>(
      std::tuple(count, objects, kinds, flags, ids), std::tuple(count, objects));
  return kOk;
}

// A guest that asked only for large or pinned objects must not receive others, which another guest enabled.
HResult Switchboard::answer(SlotTag<CallbackSlot::kObjectAllocated>, ObjectID object, ClassID klass) {
  const PinnedMeanwhile pinned(*guest_host_->runtime, object_to_pin(CallbackSlot::kObjectAllocated, object));
  std::optional<uint32_t> bits;
  for (Guest* guest : guest_host_->guests()) {
    if (!guest->receives(CallbackSlot::kObjectAllocated)) continue;
    constexpr uint32_t kAll = kMonitorObjectAllocated | kEnableObjectAllocated;
    if ((guest->mask().low & kAll) != kAll) {
      if (!bits) bits = bits_for(object);
      if ((guest->mask().high & *bits) == 0) continue;
    }
    guest->call<CallbackSlot::kObjectAllocated>(object, klass);
  }
  return kOk;
}

// The object to pin until all guests were called. The first guest's work may let a collection in, after which the
// address would be invalid for the next.
ObjectID Switchboard::object_to_pin(CallbackSlot slot, ObjectID object) {
  const auto receives = [&](const Guest* guest) { return guest->receives(slot); };
  return guest_host_->has_pins && std::ranges::count_if(guest_host_->guests(), receives) > 1 ? object : 0;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kExceptionThrown>, ObjectID exception) {
  constexpr auto kSlot = CallbackSlot::kExceptionThrown;
  const bool until_caught = leaves_exceptions_unprotected(guest_host_->runtime_version);
  if (until_caught) exception_thrown(*guest_host_->runtime, exception, this_place());
  const PinnedMeanwhile pinned(*guest_host_->runtime, until_caught ? 0 : object_to_pin(kSlot, exception));
  return tell<kSlot>(exception);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kExceptionCatcherEnter>, FunctionID function, ObjectID exception) {
  constexpr auto kSlot = CallbackSlot::kExceptionCatcherEnter;
  const bool until_caught = leaves_exceptions_unprotected(guest_host_->runtime_version);
  const PinnedMeanwhile pinned(*guest_host_->runtime, until_caught ? 0 : object_to_pin(kSlot, exception));
  tell<kSlot>(function, exception);
  if (until_caught) exception_caught_from(this_place());
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kHandleCreated>, uintptr_t handle, ObjectID object) {
  return is_pinning() ? kOk : tell<CallbackSlot::kHandleCreated>(handle, object);
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kHandleDestroyed>, uintptr_t handle) {
  return is_pinning() ? kOk : tell<CallbackSlot::kHandleDestroyed>(handle);
}

// The kind of heap that the object is in; both bits if the runtime does not say.
uint32_t Switchboard::bits_for(ObjectID object) {
  constexpr uint32_t kLargeObjects = 3, kPinnedObjects = 4;  // corprof.idl: COR_PRF_GC_GENERATION
  GenerationRange range{};
  if (failed(guest_host_->runtime->GetObjectGeneration(object, &range)))
    return kHighMonitorLargeObjectAllocated | kHighMonitorPinnedObjectAllocated;
  if (range.generation == kLargeObjects) return kHighMonitorLargeObjectAllocated;
  if (range.generation == kPinnedObjects) return kHighMonitorPinnedObjectAllocated;
  return 0;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kGetReJITParameters>, ModuleID module, Token method, void* control) {
  const MethodKey key = {module, method};
  compose_version(*guest_host_, guest_host_->rejits.guests_to_ask(key, guest_host_->firsts.is_new(key)), key,
                  *static_cast<FunctionControl*>(control));
  return kOk;
}

// A method that nobody requested is recompiled because it has a requested one inlined. Oriel receives all code.
template <CallbackSlot Slot, typename... Arguments>
void Switchboard::call_requesters(const MethodKey& key, Arguments... arguments) {
  uint32_t asked = guest_host_->rejits.requesters(key);
  if (asked == 0) asked = guest_host_->rejits.requesters_with_inliners();
  const auto receives = [&](const Guest& guest) {
    if (guest.is_oriel()) return !guest.is_out();
    return (asked & guest.bit()) != 0 && (guest.mask().low & kEnableReJit) != 0 && guest.receives(Slot);
  };
  for (Guest* guest : guest_host_->guests())
    if (receives(*guest)) guest->call<Slot>(arguments...);
}

std::optional<MethodKey> Switchboard::key_of(FunctionID function) {
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (failed(guest_host_->runtime->GetFunctionInfo(Held(), function, &klass, &key.module, &key.token)))
    return std::nullopt;
  return key;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITCompilationStarted>, FunctionID function, ReJITID version,
                            Bool safe) {
  if (const auto key = key_of(function))
    call_requesters<CallbackSlot::kReJITCompilationStarted>(*key, function, version, safe);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITCompilationFinished>, FunctionID function, ReJITID version,
                            HResult status, Bool safe) {
  if (const auto key = key_of(function)) {
    call_requesters<CallbackSlot::kReJITCompilationFinished>(*key, function, version, status, safe);
    announce_compilation_end(*guest_host_, *key, status);
  }
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kReJITError>, ModuleID module, Token method, FunctionID function,
                            HResult status) {
  call_requesters<CallbackSlot::kReJITError>({module, method}, module, method, function, status);
  announce_compilation_end(*guest_host_, {module, method}, status);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kEventPipeEventDelivered>, uintptr_t provider, uint32_t event,
                            uint32_t version, uint32_t metadata_size, const uint8_t* metadata, uint32_t size,
                            const uint8_t* fields, const Guid* activity, const Guid* related, ThreadID thread,
                            uint32_t frames, uintptr_t* stack) {
  const uint32_t asker =
      guest_host_->events.next_session_guest({provider, event, fields, kind_of_event({metadata, metadata_size})});
  for (Guest* guest : guest_host_->guests())
    if (guest->bit() == asker && guest->receives(CallbackSlot::kEventPipeEventDelivered))
      guest->call<CallbackSlot::kEventPipeEventDelivered>(provider, event, version, metadata_size, metadata, size,
                                                          fields, activity, related, thread, frames, stack);
  return kOk;
}

HResult Switchboard::answer(SlotTag<CallbackSlot::kEventPipeProviderCreated>, uintptr_t provider) {
  guest_host_->events.provider_created(provider);
  for (Guest* guest : guest_host_->guests())
    if (guest->receives(CallbackSlot::kEventPipeProviderCreated))
      guest->call<CallbackSlot::kEventPipeProviderCreated>(provider);
  return kOk;
}

}  // namespace oriel::coreclr
