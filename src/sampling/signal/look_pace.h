// How often the manager inspects waiting threads: as requested, within its share of one processor.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::sampling {

// Looks may take 1/N of a processor's time: in wall-clock mode, and when they are only added to samples of running
// threads.
inline constexpr int64_t kLookShare = 33, kSeldomLookShare = 200;
// The interval between looks at waiting threads in that second case, in ns.
inline constexpr int64_t kSeldomLooks = 1'000'000'000 / ORIEL_WAIT_LOOKS;
// CPU time of one look in ns, after which the program's threads get the processor back.
inline constexpr int64_t kMostOfLook = 500'000;
// Unused time of the share may be used later, up to this much: when many threads start to wait together, each must be
// walked once.
inline constexpr int64_t kMostCredit = 30'000'000;
// The longer a wait, the less often it is inspected, as only the precision of its end is lost.
inline constexpr int64_t kSlowestLooks = 200'000'000;

struct LookPace {
  int64_t share = kLookShare;
  int64_t credit = kMostCredit;
  int64_t last = 0;  // when the last look began

  // The time of the next look, after one that began at `begin` and took `cost` of CPU time.
  int64_t next_look(int64_t begin, int64_t cost, int64_t period) {
    if (last != 0) credit += (begin - last) / share;
    if (credit > kMostCredit) credit = kMostCredit;
    last = begin;
    credit -= cost;
    const int64_t debt = credit < 0 ? -credit * share : 0;
    return begin + (debt > period ? debt : period);
  }
};

// The interval between looks at a thread that has waited for `waited`.
inline int64_t look_interval(int64_t waited, int64_t period) {
  const int64_t slowest = period > kSlowestLooks ? period : kSlowestLooks;
  const int64_t part = waited / 8;
  return part < period ? period : part > slowest ? slowest : part;
}

// For a thread that ran since the last look: the part of the `passed` time that still belongs to its previous wait.
// With one look a period it would be known; of the periods without a look, half on average.
inline int64_t part_of_old_wait(int64_t passed, int64_t period) { return passed > period ? (passed - period) / 2 : 0; }

}  // namespace oriel::sampling
