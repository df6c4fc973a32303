// What runtimes say of their processes.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "base/status.h"
#include "diagnostics/message.h"
#include "diagnostics/port.h"

namespace oriel::diagnostics {

// Asks all of them at the same time, old runtimes by what they know; by port. Returns within `limit`. Errors are as
// those of a Call (calls.h).
std::vector<Result<ProcessInfo>> ask_process_info(std::span<const Port> ports, std::chrono::milliseconds limit);

}  // namespace oriel::diagnostics
