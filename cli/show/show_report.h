// A report for other commands to show at their end.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// Writes what "oriel COMMAND LOG…" does to stdout; `command`: "report", or with a report's name, "report callgraph".
Status show_report(const std::string& command, const std::vector<std::string>& logs);

}  // namespace oriel::cli
