// Pinned handles: an object neither moves nor dies from the time that a handle is made for it until the handle is
// freed.
//
// The runtime reports all handles to profilers. The handles made here are not passed on to anybody.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

using ObjectPin = uintptr_t;  // the address of the reference; 0: none

// The runtime's version, as the runtime reports it; 0 if it does not.
uint16_t major_version(ProfilerInfo& info);

// Whether the runtime has pinned handles, which .NET 7 introduced.
bool has_object_pins(ProfilerInfo& info);

// `info` must have them. Call it while the object cannot move: in a callback that hands it over, before anything else.
// Returns 0 if the runtime refuses.
ObjectPin pin_object(ProfilerInfo& info, ObjectID object);
// Any thread, in any mode. Not 0.
void unpin_object(ProfilerInfo& info, ObjectPin pin);
inline ObjectID pinned_object(ObjectPin pin) { return pin == 0 ? 0 : *reinterpret_cast<const ObjectID*>(pin); }

// Pins an object (0: none) while it exists.
class PinnedMeanwhile {
 public:
  PinnedMeanwhile(ProfilerInfo& info, ObjectID object)
      : info_(info), pin_(object == 0 ? 0 : pin_object(info, object)) {}
  ~PinnedMeanwhile() {
    if (pin_ != 0) unpin_object(info_, pin_);
  }
  PinnedMeanwhile(const PinnedMeanwhile&) = delete;
  PinnedMeanwhile& operator=(const PinnedMeanwhile&) = delete;

 private:
  ProfilerInfo& info_;
  const ObjectPin pin_;
};

// Whether the calling thread is making or freeing a pin.
bool is_pinning();

}  // namespace oriel::coreclr
