// Files that are opened inside a program which has its own: each that it opens gets the lowest free number, and many a
// program counts on which that is. Oriel's own threads have tables of their own (base/files/own_files.h) and need none
// of this; it is for the program's threads, and for a system that refuses such tables.
#pragma once

#include <sys/types.h>

#include <string>

namespace oriel {

// As open(2), but closed on exec and with a number that the program is the last to get: the highest free one that costs
// nothing, which is below 64 (beyond, the system may have to enlarge the process's table, for about 20 ms) and below
// the process's limit. -1 and errno as of open(2). Async-safe.
int open_out_of_the_way(const char* path, int flags, mode_t mode = 0);

// All that is in a file from its beginning on, wherever its position is; what could be read of it.
std::string whole_text(int file);

// The same of a file that the system answers with, of /proc or of control groups; "" if it cannot be read.
std::string system_text(const std::string& path);

}  // namespace oriel
