// Detaches one guest while the others stay.
#pragma once

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

// Like the runtime's RequestProfilerDetach, for one guest. Refused if the guest has immutable flags or has changed
// code. Otherwise it receives no more callbacks, and once no thread is in it, it is notified that it has detached. Its
// library stays loaded, because threads of its own may be in it.
HResult request_detach(Guest& guest);

}  // namespace oriel::coreclr
