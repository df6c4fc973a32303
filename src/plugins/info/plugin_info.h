// The ICorProfilerInfo that plug-ins and raw profiler hooks have: the runtime's, but one's masks are added to others',
// and what a hook is shown of a method, and makes of it, is on top of what came before it.
#pragma once

#include <atomic>
#include <span>

#include "plugins/engine.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::plugins {

class PluginInfo {
 public:
  enum class Kind : uint8_t {
    kPlugin,  // what it asks for is added to what it asked for before
    kHook,    // asks as the only profiler would
  };

  PluginInfo(Engine& engine, Kind kind) : engine_(engine), kind_(kind) {}

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

  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kGetILFunctionBody>, ModuleID module, Token method,
                 const uint8_t** body, uint32_t* size);
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kSetILFunctionBody>, ModuleID module, Token method,
                 const uint8_t* body);
  HResult answer(coreclr::SlotTag<coreclr::InfoSlot::kSetILInstrumentedCodeMap>, FunctionID function, Bool start,
                 uint32_t count, coreclr::IlMapEntry* map);

 private:
  HResult set_mask(const EventMask& wanted);
  HResult refuse(ModuleID module, Token method, const std::string& why);

  const void* const* const slots_ = coreclr::info_slots<PluginInfo>();  // first, as the vtable's pointer
  std::atomic<uint32_t> references_{1};
  Engine& engine_;
  const Kind kind_;
};

}  // namespace oriel::plugins
