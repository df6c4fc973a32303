#include "plugins/plugin_info.h"

namespace oriel::plugins {

using coreclr::InfoSlot;
using coreclr::SlotTag;

HResult PluginInfo::query(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  *object = nullptr;
  IUnknown* same = nullptr;  // does the runtime have that version?
  const HResult result = engine_.runtime().QueryInterface(id, reinterpret_cast<void**>(&same));
  if (failed(result)) return result;
  same->Release();
  bool is_ours = id == kIUnknownId;
  for (const coreclr::InterfaceVersion& version : coreclr::kInfoVersions) is_ours |= version.id == id;
  if (!is_ours) return kNoInterface;
  add_reference();
  *object = this;
  return kOk;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kGetEventMask>, uint32_t* low) {
  if (low == nullptr) return kPointerError;
  *low = engine_.mask_low();
  return kOk;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kSetEventMask>, uint32_t low) { return engine_.add_to_mask(low, 0); }

HResult PluginInfo::answer(SlotTag<InfoSlot::kGetEventMask2>, uint32_t* low, uint32_t* high) {
  if (low == nullptr || high == nullptr) return kPointerError;
  *low = engine_.mask_low();
  *high = engine_.mask_high();
  return kOk;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
  return engine_.add_to_mask(low, high);
}

}  // namespace oriel::plugins
