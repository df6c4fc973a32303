// Time of timer callbacks.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

struct TimerWork {
  uint64_t periods = 0;     // samples below the code that finds due timers and calls their callbacks
  uint64_t looking = 0;     // of these, outside of callbacks
  uint64_t completing = 0;  // besides these, samples of tasks that a timer completed, and of what awaited them
  double parts = 0;         // fraction of the run's tenths of a second that have such samples
  bool often = false;       // whether callbacks were seen to begin again and again: some twice a second of these
  uint32_t most_own = 0;    // index into nodes: the own place nearest to most of them; 0 if there is none
};
TimerWork timer_work(const Profile& profile);

}  // namespace oriel::profile
