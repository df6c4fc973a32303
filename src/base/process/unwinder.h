// Exceptions from libraries with another copy of the unwinder.
#pragma once

namespace oriel {

// Such an exception is unwound by the library's own copy, which calls ours about our frames. If ours has never run, its
// table of registers is not initialized, and it ends the process. This initializes it.
void prepare_unwinder();

}  // namespace oriel
