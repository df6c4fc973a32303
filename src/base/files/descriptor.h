// Files opened on a program's threads. The program gets the lowest free number for each file that it opens, and may
// rely on it. Oriel's own threads have separate tables (base/files/own_files.h) and do not need this; it is for the
// program's threads, and for systems that refuse separate tables.
#pragma once

#include <sys/types.h>

#include <string>

namespace oriel {

// Like open(2), but closed on exec and with the number that the program would get last: the highest free one below 64
// (beyond, the system may have to enlarge the process's table, for about 20 ms) and below the process's limit. -1 and
// errno as in open(2). Async-safe.
int open_with_high_number(const char* path, int flags, mode_t mode = 0);
// Moves an open file to such a number and frees its own; returns the number that it has then. Async-safe.
int with_high_number(int file);

// A file's contents from its beginning, regardless of its position; as much as could be read.
std::string whole_text(int file);

// Likewise for a file in /proc or of a control group; "" if it cannot be read.
std::string system_text(const std::string& path);

}  // namespace oriel
