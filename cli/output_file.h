// Files that tools write: whole or not at all, whoever reads or writes the same meanwhile.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// "'x' cannot be written: …; name another place with -o".
Status cannot_be_written(const std::string& path, int error);

// Has `write` make a file beside the place of `path` and puts it there. Of several that write the same at once each is
// whole, and the last stays. Where the folder takes no further file, but has this one, that is written itself. What is
// no file, as a terminal or a pipe, cannot be replaced: it is written to.
Status write_output(const std::string& path, const std::function<Status(const std::string& place)>& write);

// Tried, not asked for: permissions alone say little to root and on read-only file systems. Leaves nothing behind.
Status check_writable(const std::string& path);

}  // namespace oriel::cli
