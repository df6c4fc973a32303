// Where a log may be written, and the creation of its file.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel::log {

// Records stdout and stderr as the calling process's output for the checks below, for callers on threads with separate
// descriptor tables. Once, before such a thread starts.
void remember_output();

// Whether a log may replace the file at `path`, if there is one: allowed for a finished log or an empty file; not for a
// log that a process is writing, another file, a link, a folder, a device, a pipe, or a file that is the calling
// process's own output. Opens and reads, writes nothing.
Status may_hold_log(const std::string& path);

// Creates the file of a log, replacing what may_hold_log allows, readable only by its owner: a new file, so that
// nothing is written to a file that somebody else made. Returns its descriptor, with a high number (see
// base/files/descriptor.h). Until close_log no other process creates a log there. Errors name the path and the reason.
Result<int> create_log(const std::string& path);

// Creates the file of a log that is to have its name only once it is complete. Until then its name ends in ".part": a
// process that dies leaves such a file, which the next log of that name replaces. `path` is the name that it is to
// have, which must be one that a log may have. Otherwise as create_log.
Result<int> create_unpublished_log(const std::string& path);

// Gives that file its name, in place of a finished log that has it. Errors likewise; it keeps its ".part" then.
Status publish_log(int file, const std::string& path);

// Removes that file, which has not got its name.
void remove_unpublished(int file, const std::string& path);

// Closes it, and releases its lock even if a forked child has a copy of the descriptor.
void close_log(int file);

// The absolute path that a user-named link leads to, through all links, even if the file does not exist yet; for other
// paths, their own. Errors name the path and the reason, for instance a link that belongs to another user, who may want
// to have a file of this user overwritten.
Result<std::string> log_place(const std::string& path);

}  // namespace oriel::log
