// What ends by abort(): the runtime calls it after an exception that nobody catches, for Environment.FailFast and for
// errors of its own.
#pragma once

namespace oriel::coreclr {

// From now on the engine hears of it before (engine_before_abort). Does nothing the second time, nor where it is not
// known how the runtime calls abort.
void hear_of_abort();

}  // namespace oriel::coreclr
