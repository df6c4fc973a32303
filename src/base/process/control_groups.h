// The control groups that the process is in.
#pragma once

#include <cstdint>
#include <string>

namespace oriel {

// The least value of `of_folder(folder)` for the process's group in a controller's hierarchy ("pids", "memory") and all
// groups above it, of version 2 and 1 where they are usually mounted; UINT64_MAX where there are none. Opens files for
// a moment; not async-safe.
uint64_t least_in_control_groups(const char* controller, uint64_t (*of_folder)(const std::string& folder));

}  // namespace oriel
