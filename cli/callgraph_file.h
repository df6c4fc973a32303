// The file of a call graph: the log itself, or one beside it where the log has other things to hold.
#pragma once

#include <string>

#include "base/status.h"
#include "log_files.h"

namespace oriel::cli {

// NAME.callgraph.oriel beside NAME.oriel.
LogTemplate beside_log(const LogTemplate& log);

// The arguments of the callgraph module but for where to: the patterns as the user gave them, "-" for user code;
// `inlining` is "" for the default. Errors say what is wrong with them.
Result<std::string> callgraph_arguments(const std::string& patterns, bool allocations, const std::string& inlining);

// The file to read for a log's call graph: `file` itself if it holds one, else the one beside it if there is one.
std::string callgraph_file_of(const std::string& file);

}  // namespace oriel::cli
