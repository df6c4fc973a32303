#include "runtimes/coreclr/guests/guest_info.h"

#include <string>

#include "engine/messages.h"
#include "il/encoded_size.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/bodies/body_size.h"
#include "runtimes/coreclr/guests/bodies/checked_body.h"
#include "runtimes/coreclr/guests/bodies/validate_changes.h"
#include "runtimes/coreclr/guests/detach.h"
#include "runtimes/coreclr/instrument/sites.h"
#include "runtimes/coreclr/rejit_base.h"

namespace oriel::coreclr {
namespace {

// Needs reports of unloads from then on, because data that is kept by a module's id must be dropped with the module.
constexpr EventMask kToKeepBodies = {kMonitorModuleLoads, 0};
// And of compilations, before which bodies are checked.
constexpr EventMask kToCheckBodies = {kMonitorModuleLoads | kMonitorJitCompilation, 0};
// The effect of a request for all providers depends on when each was created.
constexpr EventMask kToKnowProviders = {0, kHighMonitorEventPipe};

constinit FewWarnings refusals("more of what other profilers ask for is refused");

// The first version of the callback interface that is asked for bodies of new versions.
constexpr int kHasVersions = version_of(CallbackSlot::kGetReJITParameters);

}  // namespace

UngatedProfilerInfo* GuestInfo::make(GuestHost& guest_host, Guest& guest) {
  return (new GuestInfo(guest_host, guest))->interface();
}

HResult GuestInfo::query(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  *object = nullptr;
  bool known = id == kIUnknownId;
  for (const InterfaceVersion& version : kInfoVersions) known |= version.id == id;
  if (!known) return kNoInterface;
  // Of these, the ones that this runtime has.
  ComPtr<ProfilerInfo> theirs;
  const HResult result = guest_host_.runtime->QueryInterface(id, reinterpret_cast<void**>(theirs.receive()));
  if (failed(result)) return result;
  add_reference();
  *object = this;
  return kOk;
}

HResult GuestInfo::refusal(InfoSlot slot) const {
  if (guest_.is_out()) return kProfilerDetaching;
  const bool asks = slot == InfoSlot::kRequestReJIT || slot == InfoSlot::kRequestReJITWithInliners;
  if (asks && !guest_.is_notification_only() && guest_.version() < kHasVersions) return kCallback4Required;
  if (!guest_.is_notification_only()) return kOk;
  // Refused in any case, in the order of the runtime's checks.
  if (slot == InfoSlot::kSetILFunctionBody) return guest_host_.runtime->at_own_risk().SetILFunctionBody(0, 0, nullptr);
  return asks || slot == InfoSlot::kRequestRevert || slot == InfoSlot::kSetILInstrumentedCodeMap ? kInvalidArgument
                                                                                                 : kOk;
}

void GuestInfo::refused(InfoSlot slot, HResult answer) {
  if (guest_.is_out() || guest_.is_oriel()) return;
  if (refusal_told_[static_cast<size_t>(slot)].exchange(true) || !refusals.wanted()) return;
  refusals.say("the profiler " + guest_.name() + " is refused " + name_of(slot) +
               ", as by the runtime: " + hresult_text(answer));
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kGetEventMask>, uint32_t* low) {
  if (low == nullptr) return kInvalidArgument;
  *low = guest_.mask().low;
  return kOk;
}

HResult GuestInfo::set_mask(const EventMask& wanted) {
  if (const auto refused = guest_host_.hooks.refuses(guest_, wanted)) return *refused;
  return guest_host_.masks.set(guest_, wanted);
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kSetEventMask>, uint32_t low) { return set_mask({low, 0}); }

HResult GuestInfo::answer(SlotTag<InfoSlot::kGetEventMask2>, uint32_t* low, uint32_t* high) {
  if (low == nullptr || high == nullptr) return kInvalidArgument;
  const EventMask mask = guest_.mask();
  *low = mask.low;
  *high = mask.high;
  return kOk;
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
  return set_mask({low, high});
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kGetILFunctionBody>, ModuleID module, Token method, const uint8_t** body,
                          uint32_t* size) {
  const auto made_so_far = [&] {
    return guest_host_.bodies.shown({module, method}).value_or(std::span<const uint8_t>());
  };
  // Oriel's changes are applied on top of others' versions in a separate place, so Oriel does not see these.
  std::span<const uint8_t> shown = guest_.is_oriel() ? std::span<const uint8_t>() : RejitBase::show({module, method});
  if (shown.empty() && !guest_.is_oriel()) drop_invalid(guest_host_, {module, method});
  if (shown.empty()) shown = made_so_far();
  if (shown.empty()) {
    const HResult result = guest_host_.runtime->at_own_risk().GetILFunctionBody(module, method, body, size);
    // If the first change of all has come meanwhile and is the answer, the body before it is known by now.
    shown = made_so_far();
    if (shown.empty()) return result;
  }
  if (body != nullptr) *body = shown.data();
  if (size != nullptr) *size = static_cast<uint32_t>(shown.size());
  return kOk;
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kSetILFunctionBody>, ModuleID module, Token method, const uint8_t* body) {
  const MethodKey key = {module, method};
  guest_host_.masks.need(guest_.is_oriel() ? kToKeepBodies : kToCheckBodies);
  const bool is_own = guest_.is_oriel();
  if (is_own) guest_host_.bodies.before_own(key);
  const size_t size = is_own || body == nullptr ? 0 : body_size(body);
  if (!is_own && body != nullptr && size == 0) {
    say_no_body(*guest_host_.runtime, guest_, key);
    return kInvalidArgument;
  }
  if (body != nullptr && il::has_clauses({body, sizeof(uint16_t)})) guest_host_.bodies.note_clauses(key);
  if (is_own || body == nullptr) return guest_host_.runtime->at_own_risk().SetILFunctionBody(module, method, body);
  const auto shown = guest_host_.bodies.shown(key);
  const std::span<const uint8_t> before = shown ? *shown : body_of(*guest_host_.runtime, key);
  const HResult result = guest_host_.runtime->at_own_risk().SetILFunctionBody(module, method, body);
  if (failed(result)) return result;
  guest_.note_irreversible();
  guest_host_.changed.note(guest_, key);
  guest_host_.bodies.made_by_guest(key, before, {&guest_, {body, size}});
  RejitBase::replace(key, {body, size});
  return result;
}

// The runtime copies the map; the caller frees it.
HResult GuestInfo::answer(SlotTag<InfoSlot::kSetILInstrumentedCodeMap>, FunctionID function, Bool start, uint32_t count,
                          IlMapEntry* map) {
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (map == nullptr || failed(guest_host_.runtime->GetFunctionInfo(Held(), function, &klass, &key.module, &key.token)))
    return guest_host_.runtime->at_own_risk().SetILInstrumentedCodeMap(function, start, count, map);
  guest_host_.il_maps.set(guest_, key, {map, count});
  std::vector<IlMapEntry> all = guest_host_.il_maps.of_all(key);
  return guest_host_.runtime->at_own_risk().SetILInstrumentedCodeMap(function, start, static_cast<uint32_t>(all.size()),
                                                                     all.data());
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kRequestReJIT>, uint32_t count, ModuleID* modules, Token* methods) {
  guest_host_.masks.need(kToKeepBodies);
  return guest_host_.rejits.request(guest_, std::nullopt, count, modules, methods);
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kRequestReJITWithInliners>, uint32_t flags, uint32_t count,
                          ModuleID* modules, Token* methods) {
  guest_host_.masks.need(kToKeepBodies);
  return guest_host_.rejits.request(guest_, flags, count, modules, methods);
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kRequestRevert>, uint32_t count, ModuleID* modules, Token* methods,
                          HResult* results) {
  return guest_host_.rejits.revert(guest_, count, modules, methods, results);
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kEventPipeStartSession>, uint32_t count, EventPipeProviderConfig* providers,
                          Bool rundown, uint64_t* session) {
  if (!guest_.is_oriel()) guest_host_.masks.need(kToKnowProviders);
  return guest_host_.events.start(guest_, count, providers, rundown, session);
}

HResult GuestInfo::answer(SlotTag<InfoSlot::kEventPipeAddProviderToSession>, uint64_t session,
                          EventPipeProviderConfig provider) {
  return guest_host_.events.add(session, provider);
}

// Oriel itself leaves the runtime; others leave Oriel.
HResult GuestInfo::answer(SlotTag<InfoSlot::kRequestProfilerDetach>, uint32_t milliseconds) {
  if (!guest_.is_oriel()) return request_detach(guest_);
  if (guest_host_.guests().size() > 1) return kIrreversiblePresent;
  return guest_host_.runtime->RequestProfilerDetach(milliseconds);
}

}  // namespace oriel::coreclr
