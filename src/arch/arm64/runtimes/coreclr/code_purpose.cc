#include "runtimes/coreclr/code_purpose.h"

namespace oriel::coreclr {

// No shapes of CoreCLR's arm64 code are known yet: such code is shown as the runtime's own, without a purpose.
const char* purpose_of_function(const oriel_native&) { return ""; }
const char* purpose_of_stub(uintptr_t) { return ""; }

}  // namespace oriel::coreclr
