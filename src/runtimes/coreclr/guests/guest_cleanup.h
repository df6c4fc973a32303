// What is left of a guest that is called no more.
#pragma once

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// Its event sessions end, and the versions of methods that it made are made anew without it, or reverted. Whoever
// leaves it out may be in the midst of a callback: that is done on a thread of its own, if there is anything to do.
void see_out(House& house, const Guest& guest);

}  // namespace oriel::coreclr
