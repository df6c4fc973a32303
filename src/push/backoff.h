// When to try again. Pure functions.
#pragma once

#include <chrono>

namespace oriel::push {

// The pause behind a failed attempt, the first of which is 0: a second, doubled each time, 30 at most; of that a random
// part between half and all, by `random` in [0, 1): tools that fail at once shall not come back at once.
std::chrono::milliseconds pause_after(unsigned attempt, double random);

}  // namespace oriel::push
