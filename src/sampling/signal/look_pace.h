// How often the manager looks at threads that wait: as often as is asked, and as its share of one processor allows.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::sampling {

// The manager's looks may take one part in so many of a processor's time: where waits are what is asked for, and where
// they are told beside samples of running threads.
inline constexpr int64_t kLookShare = 33, kSeldomLookShare = 200;
// In ns, how often threads that wait are looked at in that second case.
inline constexpr int64_t kSeldomLooks = 1'000'000'000 / ORIEL_WAIT_LOOKS;
// CPU time in ns of one look, after which the program's threads get the processor back.
inline constexpr int64_t kMostOfLook = 500'000;
// What looks have not taken of their share they may take later, up to this much: many threads that begin to wait at
// once have to be walked once each.
inline constexpr int64_t kMostCredit = 30'000'000;
// A wait that goes on is looked at less and less often, as nothing is lost by that but the time of its end.
inline constexpr int64_t kSlowestLooks = 200'000'000;

struct LookPace {
  int64_t share = kLookShare;
  int64_t credit = kMostCredit;
  int64_t last = 0;  // when the last look began

  // When the next look may be, after one that began at `begin` and took `cost` of CPU time.
  int64_t next_look(int64_t begin, int64_t cost, int64_t period) {
    if (last != 0) credit += (begin - last) / share;
    if (credit > kMostCredit) credit = kMostCredit;
    last = begin;
    credit -= cost;
    const int64_t debt = credit < 0 ? -credit * share : 0;
    return begin + (debt > period ? debt : period);
  }
};

// How long a thread that has waited for `waited` may be left alone.
inline int64_t look_interval(int64_t waited, int64_t period) {
  const int64_t slowest = period > kSlowestLooks ? period : kSlowestLooks;
  const int64_t part = waited / 8;
  return part < period ? period : part > slowest ? slowest : part;
}

// Of the time since the last look at a thread that went on meanwhile: how much of it still belongs to the wait that was
// known then. One look a period would have told; of those that were left out, half on average.
inline int64_t part_of_old_wait(int64_t passed, int64_t period) { return passed > period ? (passed - period) / 2 : 0; }

}  // namespace oriel::sampling
