// Cleans up after a guest that is called no more.
#pragma once

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// Ends its event sessions, and recompiles or reverts the methods of which it made versions. If there is anything to do,
// it is done on a new thread, because the caller may be in a callback.
void clean_up_after(GuestHost& guest_host, const Guest& guest);

}  // namespace oriel::coreclr
