// The ICorProfilerInfo that plug-ins have: the runtime's, but one's masks are added to others'.
#pragma once

#include <atomic>

#include "plugins/engine.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::plugins {

class PluginInfo {
 public:
  explicit PluginInfo(Engine& engine) : engine_(engine) {}

  IUnknown* interface() { return reinterpret_cast<IUnknown*>(this); }

  HResult query(const Guid& id, void** object);
  // Counted as COM asks, but never freed.
  uint32_t add_reference() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

  // What is not below goes to the runtime as it is.
  template <coreclr::InfoSlot Slot, typename... Arguments>
  HResult answer(coreclr::SlotTag<Slot>, Arguments... arguments) {
    return (engine_.runtime().*coreclr::MemberOf<Slot>::value)(arguments...);
  }
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kGetEventMask>, uint32_t* low);
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kSetEventMask>, uint32_t low);
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kGetEventMask2>, uint32_t* low, uint32_t* high);
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high);

 private:
  const void* const* const slots_ = coreclr::info_slots<PluginInfo>();  // first, as the vtable's pointer
  std::atomic<uint32_t> references_{1};
  Engine& engine_;
};

}  // namespace oriel::plugins
