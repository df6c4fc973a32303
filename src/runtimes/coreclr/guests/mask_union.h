// The event mask that the runtime has, made of what all guests ask for.
#pragma once

#include <mutex>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

class MaskUnion {
 public:
  explicit MaskUnion(ProfilerInfo& runtime) : runtime_(runtime) {}

  void add(Guest& guest);
  // From now on the guest asks for this. The runtime's answer; of what can only be asked for while the runtime starts,
  // the same answer as a profiler that is alone gets later.
  HResult set(Guest& guest, const EventMask& wanted);
  // The guest hears nothing any more.
  void remove(Guest& guest);
  // Nobody asked for these, but they are needed, from now on for good.
  HResult need(const EventMask& mask);
  EventMask in_force() const;
  // The runtime has started, and tells of all that happens in the program from now on by the mask in force.
  void program_starts();
  // What the runtime told of ever since; nothing before that.
  EventMask always_in_force() const;

 private:
  HResult apply();

  ProfilerInfo& runtime_;
  mutable std::mutex lock_;  // all of the following, and guests' masks while they are set
  std::vector<Guest*> guests_;
  EventMask needed_;
  EventMask in_force_;
  EventMask always_in_force_;
};

}  // namespace oriel::coreclr
