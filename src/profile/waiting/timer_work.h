// What timers' callbacks took.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

struct TimerWork {
  uint64_t periods = 0;   // samples below what looks for timers that are due and calls their callbacks
  uint64_t looking = 0;   // those of them in no callback
  double parts = 0;       // of the tenths of a second of the run, those in which there are any
  uint32_t most_own = 0;  // index into nodes: the own place nearest to most of them; 0: none is
};
TimerWork timer_work(const Profile& profile);

}  // namespace oriel::profile
