// Where a log may be written.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel::log {

// Whether a log may take the place of what is at `path`, if anything is: a log's or an empty file's; not of another
// file, a folder, a device, a pipe, or what the calling process writes its own output to. Opens and reads, writes
// nothing.
Status may_hold_log(const std::string& path);

// The full path of the file that writing to `path` writes, through all links, also where there is no such file yet: for
// what renames a file into its place, and for what looks for the file after the working directory has changed. Errors
// name the path and the reason.
Result<std::string> log_place(const std::string& path);

}  // namespace oriel::log
