// A fake runtime for tests.
#pragma once

#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

// Returns S_OK and no data in every slot. A `Runtime` derives from it, imports its answers with `using`, and overloads
// the slots that matter to the test.
template <typename Runtime>
struct FakeInfo {
  const void* const* slots = info_slots<Runtime>();  // first, in the place of the vtable's pointer

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
