// Validates guests' changes of a method before it is compiled.
#pragma once

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// All guests were called for the function's compilation, and Oriel comes next. The runtime keeps those of the guests'
// bodies that it can compile, and Oriel's changes are applied on top again if there were any. Waits for another thread
// that does this for the same method. Any thread to which the runtime reports compilations.
void settle(House& house, FunctionID function);
void settle(House& house, const MethodKey& key);

// The next guest is about to be shown the changes so far: drops those that the runtime would reject. Does nothing
// unless the thread has the method's turn.
void drop_unsound(House& house, const MethodKey& key);

}  // namespace oriel::coreclr
