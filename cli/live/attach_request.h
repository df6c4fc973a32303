// Asks a runtime to load Oriel's engine.
#pragma once

#include <chrono>

#include "base/process/attach_data.h"
#include "base/status.h"
#include "diagnostics/port.h"

namespace oriel::cli {

// `took` is how long the runtime was at it. A runtime that is still starting, or that a previous `oriel attach` is
// about to leave, is asked again for a few seconds. The error is a phrase that follows a process's name.
Status request_attach(const diagnostics::Port& port, const std::string& engine, const AttachData& data,
                      std::chrono::microseconds& took);

}  // namespace oriel::cli
