// The ICorProfilerInfo that a guest gets: the runtime's, except where several profilers have to be coordinated.
#pragma once

#include <array>
#include <atomic>

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

class GuestInfo {
 public:
  // Both must live as long as this.
  GuestInfo(GuestHost& guest_host, Guest& guest) : guest_host_(guest_host), guest_(guest) {}
  // The interface for a guest's requests. It lives as long as the process.
  static UngatedProfilerInfo* make(GuestHost& guest_host, Guest& guest);

  UngatedProfilerInfo* interface() { return reinterpret_cast<UngatedProfilerInfo*>(this); }

  HResult query(const Guid& id, void** object);
  // Counted as COM requires but never freed, however often a guest releases it.
  uint32_t add_reference() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

  // The result with which a slot is refused: the guest is out, or its interface or its own declarations rule out the
  // request. kOk: it is not refused.
  HResult refusal(InfoSlot slot) const;
  // Slots whose refusals are reported to the user, once for each guest and slot.
  static constexpr bool reports_refusals(InfoSlot slot) {
    switch (slot) {
      case InfoSlot::kSetEventMask:
      case InfoSlot::kSetEventMask2:
      case InfoSlot::kSetEnterLeaveFunctionHooks:
      case InfoSlot::kSetEnterLeaveFunctionHooks2:
      case InfoSlot::kSetEnterLeaveFunctionHooks3:
      case InfoSlot::kSetEnterLeaveFunctionHooks3WithInfo:
      case InfoSlot::kSetFunctionIDMapper:
      case InfoSlot::kSetFunctionIDMapper2:
      case InfoSlot::kRequestReJIT:
      case InfoSlot::kRequestReJITWithInliners:
      case InfoSlot::kRequestRevert:
      case InfoSlot::kEventPipeStartSession:
      case InfoSlot::kRequestProfilerDetach:
        return true;
      default:
        return false;
    }
  }
  void refused(InfoSlot slot, HResult answer);

  // All slots without an overload below are passed to the runtime unchanged.
  template <InfoSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments... arguments) {
    return (guest_host_.runtime->at_own_risk().*MemberOf<Slot>::value)(arguments...);
  }

  HResult answer(SlotTag<InfoSlot::kGetEventMask>, uint32_t* low);
  HResult answer(SlotTag<InfoSlot::kSetEventMask>, uint32_t low);
  HResult answer(SlotTag<InfoSlot::kGetEventMask2>, uint32_t* low, uint32_t* high);
  HResult answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high);

  HResult answer(SlotTag<InfoSlot::kGetILFunctionBody>, ModuleID module, Token method, const uint8_t** body,
                 uint32_t* size);
  HResult answer(SlotTag<InfoSlot::kSetILFunctionBody>, ModuleID module, Token method, const uint8_t* body);
  HResult answer(SlotTag<InfoSlot::kSetILInstrumentedCodeMap>, FunctionID function, Bool start, uint32_t count,
                 IlMapEntry* map);

  HResult answer(SlotTag<InfoSlot::kRequestReJIT>, uint32_t count, ModuleID* modules, Token* methods);
  HResult answer(SlotTag<InfoSlot::kRequestReJITWithInliners>, uint32_t flags, uint32_t count, ModuleID* modules,
                 Token* methods);
  HResult answer(SlotTag<InfoSlot::kRequestRevert>, uint32_t count, ModuleID* modules, Token* methods,
                 HResult* results);

  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks>, void* enter, void* leave, void* tail_call) {
    return guest_host_.hooks.set(guest_, HookKind::kFirst, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks2>, void* enter, void* leave, void* tail_call) {
    return guest_host_.hooks.set(guest_, HookKind::kSecond, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks3>, void* enter, void* leave, void* tail_call) {
    return guest_host_.hooks.set(guest_, HookKind::kThird, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks3WithInfo>, void* enter, void* leave, void* tail_call) {
    return guest_host_.hooks.set(guest_, HookKind::kThirdWithInfo, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetFunctionIDMapper>, void* mapper) {
    return guest_host_.hooks.set_mapper(guest_, mapper);
  }
  HResult answer(SlotTag<InfoSlot::kSetFunctionIDMapper2>, void* mapper, void* client) {
    return guest_host_.hooks.set_mapper2(guest_, mapper, client);
  }

  HResult answer(SlotTag<InfoSlot::kEventPipeStartSession>, uint32_t count, EventPipeProviderConfig* providers,
                 Bool rundown, uint64_t* session);
  HResult answer(SlotTag<InfoSlot::kEventPipeAddProviderToSession>, uint64_t session, EventPipeProviderConfig provider);
  HResult answer(SlotTag<InfoSlot::kEventPipeStopSession>, uint64_t session) {
    return guest_host_.events.stop(session);
  }

  HResult answer(SlotTag<InfoSlot::kRequestProfilerDetach>, uint32_t milliseconds);

 private:
  HResult set_mask(const EventMask& wanted);

  const void* const* const slots_ = info_slots<GuestInfo>();  // first, in the place of the vtable's pointer
  GuestHost& guest_host_;
  Guest& guest_;
  std::atomic<uint32_t> references_{1};
  std::array<std::atomic<bool>, static_cast<size_t>(InfoSlot::kCount)> refusal_told_{};
};

}  // namespace oriel::coreclr
