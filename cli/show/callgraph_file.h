// The file of a call graph: the log itself, or one beside it where the log has other things to hold.
#pragma once

#include <string>

#include "run/log_files.h"

namespace oriel::cli {

// The place of another file beside a log: with `ending` for ".callgraph.oriel", NAME.callgraph.oriel beside NAME.oriel.
LogTemplate beside(const LogTemplate& log, const std::string& ending);

// The file to read for a log's call graph: `file` itself if it holds one, else the one beside it if there is one.
std::string callgraph_file_of(const std::string& file);

// Whether the file is, by its name, a call graph beside a log that is there too.
bool stands_beside_log(const std::string& file);

}  // namespace oriel::cli
