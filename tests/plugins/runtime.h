// A fake runtime that counts its calls.
#pragma once

#include "runtimes/coreclr/guests/slots.h"

namespace oriel::plugins {

using coreclr::InfoSlot;
using coreclr::SlotTag;

class Runtime {
 public:
  coreclr::UngatedProfilerInfo& interface() { return *reinterpret_cast<coreclr::UngatedProfilerInfo*>(this); }

  com::HResult query(const com::Guid&, void**) { return com::kNoInterface; }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }

  template <InfoSlot Slot, typename... Arguments>
  com::HResult answer(SlotTag<Slot>, Arguments...) {
    return com::kNotImplemented;
  }
  com::HResult answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
    mask_low = low;
    mask_high = high;
    ++masks;
    return com::kOk;
  }
  com::HResult answer(SlotTag<InfoSlot::kGetModuleMetaData>, coreclr::ModuleID, uint32_t, const com::Guid&,
                      com::IUnknown**) {
    ++opened;
    return com::kFail;
  }

 private:
  const void* const* const slots_ = coreclr::info_slots<Runtime>();  // first, in the place of the vtable's pointer

 public:
  uint32_t mask_low = 0, mask_high = 0;
  int masks = 0, opened = 0;
};

}  // namespace oriel::plugins
