// The ICorProfilerInfo of plug-ins and raw profiler hooks: the runtime's, except that event masks are combined, and
// that a hook sees and changes the body that resulted from those before it.
#pragma once

#include <atomic>
#include <span>

#include "plugins/engine.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::plugins {

class PluginInfo {
 public:
  enum class Kind : uint8_t {
    kPlugin,  // adds to what it enabled before
    kHook,    // sets its mask, as a profiler that is alone would
  };

  PluginInfo(Engine& engine, Kind kind) : engine_(engine), kind_(kind) {}

  IUnknown* interface() { return reinterpret_cast<IUnknown*>(this); }

  HResult query(const Guid& id, void** object);
  // Counted as COM requires but never freed.
  uint32_t add_reference() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

  // All slots without an overload below are passed to the runtime unchanged.
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

  const void* const* const slots_ = coreclr::info_slots<PluginInfo>();  // first, in the place of the vtable's pointer
  std::atomic<uint32_t> references_{1};
  Engine& engine_;
  const Kind kind_;
};

}  // namespace oriel::plugins
