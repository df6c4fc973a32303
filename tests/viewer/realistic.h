// A profile as a compiler's run gives it: several threads, deep stacks, managed, native and runtime frames.
#pragma once

#include "profile/profile.h"

namespace oriel::testing {

// The same each time. Grows with `samples`: 4,000 make about 6,000 nodes, 400,000 more than 100,000.
profile::Profile realistic_profile(uint32_t samples);

}  // namespace oriel::testing
