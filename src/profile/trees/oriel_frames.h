// Oriel's own code on the program's threads, its probes and callbacks, is one frame to who looks at a program.
#pragma once

#include "profile/profile.h"

namespace oriel::profile {

inline constexpr const char* kOrielFrame = "[Oriel]";

// Makes one frame, [Oriel], of each of Oriel's frames with the native code below it. Managed code that runs below is
// shown as called by it. No effect where there is none.
void fold_oriel(Profile& profile);

}  // namespace oriel::profile
