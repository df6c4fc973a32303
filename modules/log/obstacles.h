// What of a log's options the runtime cannot give.
#pragma once

#include "options.h"

namespace oriel::log_module {

// Tells whoever starts or changes the log of each such option: "log: --async gives nothing: Oriel has no probes for
// awaits on Mono". Any thread.
void tell_obstacles(const Options& options);

}  // namespace oriel::log_module
