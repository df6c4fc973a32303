// What a log's intro says of the process that it is about.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "log/format.h"

namespace oriel::modules {

// /proc/self/cmdline as it stands: words each ended by a NUL. "" if it cannot be read.
std::string read_command_line();

// "command", "pid", "cwd", "host", "cores".
std::vector<std::pair<std::string, std::string>> process_properties();

// CPU time and peak memory of this process up to now.
log::ProcessUsage process_usage();

}  // namespace oriel::modules
