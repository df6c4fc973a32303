// Programs that end by abort(). The runtime calls it after an unhandled exception, for Environment.FailFast and for
// errors of its own.
#pragma once

namespace oriel::coreclr {

// From now on the engine is notified before an abort (engine_before_abort). Does nothing if called again, or if the way
// in which the runtime calls abort is not known.
void install_abort_hook();

}  // namespace oriel::coreclr
