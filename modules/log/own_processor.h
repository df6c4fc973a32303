// Whether a thread has had a processor whenever it wanted one, so that more work of its own takes nothing from others.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace oriel::log_module {

class OwnProcessor {
 public:
  // Call on the thread before and after its work.
  void begin() {
    wall_ = clock_monotonic_ns();
    cpu_ = clock_thread_cpu_ns();
  }
  void end() {
    constexpr uint64_t kEnoughToTell = 1'000'000, kShare = 4;
    const uint64_t cpu = clock_thread_cpu_ns() - cpu_;
    if (cpu < kEnoughToTell) return;
    const uint64_t wall = clock_monotonic_ns() - wall_;
    is_free_ = wall < cpu + cpu / kShare;
  }
  // As of the last work that took long enough to tell; true before that.
  bool is_free() const { return is_free_; }

 private:
  uint64_t wall_ = 0, cpu_ = 0;
  bool is_free_ = true;
};

}  // namespace oriel::log_module
