// The runtime's event mask, which is the union of all guests' masks.
#pragma once

#include <mutex>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

class MaskUnion {
 public:
  explicit MaskUnion(ProfilerInfo& runtime) : runtime_(runtime) {}

  void add(Guest& guest);
  // Sets what the guest enables. Returns the runtime's answer. A late request for bits that can be set only while the
  // runtime starts gets the answer that a profiler alone would get.
  HResult set(Guest& guest, const EventMask& wanted);
  // The guest receives nothing any more.
  void remove(Guest& guest);
  // Enables bits that no guest requested but Oriel needs, for good.
  HResult need(const EventMask& mask);
  EventMask in_force() const;
  // The runtime has started: from now on it reports everything that the mask in force enables.
  void program_starts();
  // What was reported without a gap since then; nothing before that.
  EventMask always_in_force() const;

 private:
  HResult apply();

  ProfilerInfo& runtime_;
  mutable std::mutex lock_;  // guards all of the following, and guests' masks while they are set
  std::vector<Guest*> guests_;
  EventMask needed_;
  EventMask in_force_;
  EventMask always_in_force_;
};

}  // namespace oriel::coreclr
