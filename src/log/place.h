// Where a log may be written.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel::log {

// Whether a log may take the place of what is at `path`, if anything is: a log's, an empty file's or a device's; not of
// another file, a folder, a pipe, or what the calling process writes its own output to. Opens and reads, writes
// nothing.
Status may_hold_log(const std::string& path);

}  // namespace oriel::log
