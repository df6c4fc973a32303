// Atomic output files: complete or not there, also with concurrent readers and writers.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// "'x' cannot be written: …; name another place with -o".
Status cannot_be_written(const std::string& path, int error);

// `write` creates a file beside `path`, which then replaces `path`. Concurrent calls each write a complete file, and
// the last one stays. If the folder is not writable but has the file, that is overwritten in place. A terminal or pipe
// is written to directly.
Status write_output(const std::string& path, const std::function<Status(const std::string& place)>& write);

// Refuses an output that is one of the files that are read, also by another name: it would replace that one.
Status check_not_read(const std::string& path, const std::vector<std::string>& files_read);

// Checks by trying: permissions say little for root and on read-only file systems. Leaves nothing behind.
Status check_writable(const std::string& path);

}  // namespace oriel::cli
