// Folds Oriel's own code on the program's threads, its probes and callbacks, into one frame.
#pragma once

#include "profile/profile.h"

namespace oriel::profile {

inline constexpr const char* kOrielFrame = "[Oriel]";

// Replaces each of Oriel's frames, with the native code below it, by one frame [Oriel]. Managed code below becomes its
// callee. No effect if there are none.
void fold_oriel(Profile& profile);

}  // namespace oriel::profile
