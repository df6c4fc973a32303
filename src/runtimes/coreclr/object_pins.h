// Pinned handles: an object stays where it is, and alive, from the time that one is made of it until that is freed.
//
// The runtime tells profilers of all handles; those that are made here concern nobody, and nobody is told of them.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

using ObjectPin = uintptr_t;  // the address of the reference; 0: none

// The runtime's version as it tells it itself; 0 if it does not.
uint16_t major_version(ProfilerInfo& info);

// Whether the runtime has such handles: since .NET 7.
bool has_object_pins(ProfilerInfo& info);

// `info` has them. While the object cannot move: in a callback that hands it over, before anything else. 0: refused.
ObjectPin pin_object(ProfilerInfo& info, ObjectID object);
// Any thread, in any mode. Not 0.
void unpin_object(ProfilerInfo& info, ObjectPin pin);
inline ObjectID pinned_object(ObjectPin pin) { return pin == 0 ? 0 : *reinterpret_cast<const ObjectID*>(pin); }

// An object that is pinned while this is there; 0: none.
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

// Whether the calling thread is just making or freeing one.
bool is_pinning();

}  // namespace oriel::coreclr
