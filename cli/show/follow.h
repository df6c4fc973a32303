// A report of logs that are being written, shown anew as they grow.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// Writes the report, and says whether a program still writes one of the logs.
using WriteReport = std::function<Status(std::ostream& out, bool& running)>;

// Writes it to stdout now, and again whenever one of the files has grown, at most once a second and for a fifth of the
// time. Ends when no program writes them any more, or at an interrupt. A terminal shows the newest alone, cut to its
// height. Errors are those of `write`, and if stdout cannot be written.
Status follow(const std::vector<std::string>& files, const WriteReport& write);

}  // namespace oriel::cli
