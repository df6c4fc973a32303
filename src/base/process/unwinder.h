// Exceptions of libraries that have another copy of the unwinder.
#pragma once

namespace oriel {

// What another library throws is unwound by its own copy, which asks ours for what it may do in frames of ours. That
// one, if it never ran, does not know the processor's registers, and ends the process. From now on it does.
void prepare_unwinder();

}  // namespace oriel
