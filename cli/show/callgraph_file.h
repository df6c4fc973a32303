// The file of a call graph: the log itself, or a file beside a log with other data.
#pragma once

#include <string>

#include "run/log_files.h"

namespace oriel::cli {

// Another file beside a log: for the ending ".callgraph.oriel", NAME.callgraph.oriel beside NAME.oriel.
LogTemplate beside(const LogTemplate& log, const std::string& ending);

// The file with a log's call graph: `file` itself if it has one, else the file beside it if there is one.
std::string callgraph_file_of(const std::string& file);

// Whether the file's name is that of a call graph beside an existing log.
bool stands_beside_log(const std::string& file);

}  // namespace oriel::cli
