// Coverage counters that a running or killed program has not written to its log (base/files/coverage_file.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/format.h"

namespace oriel::log {

// The counters file that belongs to a log.
std::string counters_file_of(const std::string& log);

// The contents as blocks of a log, for one period or two. If the log has a block for a period, that block is complete.
// Any bytes are accepted: invalid parts are left out, and a completely invalid file is an error.
Result<std::vector<Coverage>> read_counters(std::span<const uint8_t> bytes);
// Reads the file beside the log; empty if there is none.
Result<std::vector<Coverage>> read_counters_beside(const std::string& log);

}  // namespace oriel::log
