// The counters of coverage that a program has not written into its log: of one that runs, or was killed
// (base/files/coverage_file.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/format.h"

namespace oriel::log {

// The file beside a log.
std::string counters_file_of(const std::string& log);

// What it tells, as blocks that the log would have: of one period, or two. A log that has a period's block has all of
// it. Whatever the bytes: what makes no sense is left out, and a file without any sense is an error.
Result<std::vector<Coverage>> read_counters(std::span<const uint8_t> bytes);
// Of the file beside the log; nothing if there is none.
Result<std::vector<Coverage>> read_counters_beside(const std::string& log);

}  // namespace oriel::log
