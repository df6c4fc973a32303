// What a walk over the heap may take. In a copy of the process others see to that (forked_copy.h). In the process
// itself the walk stops by itself, so that the program goes on.
#pragma once

#include <cstdint>
#include <string>

#include "engine/heap/shared_heap.h"

namespace oriel {

class WalkBounds {
 public:
  // Of a walk in a copy: none.
  WalkBounds() = default;
  // Of a walk in the process: it ends at this time (clock_monotonic_ns) at the latest, and as soon as too little memory
  // is left for the program.
  explicit WalkBounds(uint64_t end_ns) : end_ns_(end_ns) {}
  // Likewise, where a stopped thread may be in the midst of an allocation: to look at memory takes some.
  static WalkBounds without_looks_at_memory(uint64_t end_ns) {
    WalkBounds bounds(end_ns);
    bounds.next_look_ns_ = UINT64_MAX;
    return bounds;
  }

  bool is_in_process() const { return end_ns_ != 0; }

  // Whether the walk is to stop; once it is so, it stays so. To be asked for every object.
  bool are_reached() {
    constexpr uint32_t kBetween = 4096;
    return ++asked_ % kBetween == 0 ? are_reached_now() : reached_ != CopyOutcome::kDone;
  }
  // Likewise, for steps that take longer.
  bool are_reached_now();

  // kDone: it is not to stop.
  CopyOutcome reached() const { return reached_; }

 private:
  uint64_t end_ns_ = 0, next_look_ns_ = 0;
  uint32_t asked_ = 0;
  CopyOutcome reached_ = CopyOutcome::kDone;
};

// For so long a walk in the process may stop the program.
inline constexpr uint64_t kLongestStopNs = 10'000'000'000;

// What keeps a heap of this size from being walked while the program is stopped: a sentence; "" if nothing does. Any
// thread.
std::string obstacle_to_stopped_walk(uint64_t heap);
// The walk over such a heap did not come to its end in time: the program is not stopped again for one as large.
void stopped_walk_took_too_long(uint64_t heap);

}  // namespace oriel
