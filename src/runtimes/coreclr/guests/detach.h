// How one guest leaves the process while the others stay.
#pragma once

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

// As the runtime's RequestProfilerDetach, for one guest: refused to those that asked for what holds until the process
// ends, or changed code. Else it hears nothing more from now on, and once no thread is in it, that it left. Its library
// stays loaded: threads of its own may be in it.
HResult request_detach(Guest& guest);

}  // namespace oriel::coreclr
