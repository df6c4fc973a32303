// What of a log's options the runtime cannot give.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace oriel::log_module {

// A sentence for each such option: "--async logs nothing: Oriel has no probes for awaits on Mono". Any thread.
std::vector<std::string> obstacles(const Options& options);

}  // namespace oriel::log_module
