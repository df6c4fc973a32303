// What stands for the runtime in tests.
#pragma once

#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

// Does what it is asked to do, and tells nothing. A `Runtime` derives from it, takes its answers by `using`, and has
// its own for the slots that matter to the test.
template <typename Runtime>
struct FakeInfo {
  const void* const* slots = info_slots<Runtime>();  // first, as the vtable's pointer

  HResult query(const Guid&, void** object) {
    *object = this;
    return kOk;
  }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <InfoSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    return kOk;
  }
};

}  // namespace oriel::coreclr
