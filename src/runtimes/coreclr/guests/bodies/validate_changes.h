// Validates guests' changes of a method before it is compiled.
#pragma once

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// All guests were called for the function's compilation, and Oriel comes next. The runtime keeps those of the guests'
// bodies that it can compile, and Oriel's changes are applied on top again if there were any. Waits for another thread
// that does this for the same method. Any thread to which the runtime reports compilations.
void validate_changes(GuestHost& guest_host, FunctionID function);
void validate_changes(GuestHost& guest_host, const MethodKey& key);

// The next guest is about to be shown the changes so far: drops those that the runtime would reject. Does nothing
// unless the thread has the method's turn.
void drop_invalid(GuestHost& guest_host, const MethodKey& key);

}  // namespace oriel::coreclr
