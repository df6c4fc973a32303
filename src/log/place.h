// Where a log may be written, and the file that it is written to.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel::log {

// What the calling process writes its output to is from now on what stdout and stderr are at this call, and not at the
// time of a question below: for one that asks on threads with descriptors of their own. Once, before such a thread
// starts.
void remember_output();

// Whether a log may take the place of what is at `path`, if anything is: a finished log's or an empty file's; not of a
// log that a process is writing, of another file, a link, a folder, a device, a pipe, or what the calling process
// writes its own output to. Opens and reads, writes nothing.
Status may_hold_log(const std::string& path);

// Creates the file of a log, in the place of what may_hold_log allows there, for its owner alone to read: a new file,
// so that nothing of another's making is ever written to. Returns its descriptor, out of the program's way (see
// base/files/descriptor.h). Until close_log no other process creates a log there. The message names the path and the
// reason.
Result<int> create_log(const std::string& path);

// Closes it, for forked children too: as long as they live they may have a copy.
void close_log(int file);

// The full path of the file that a link which the user named leads to, through all links, also where there is no such
// file yet; of what is no link, its own. Errors name the path and the reason: links of another user's among them, who
// may have put them there to have a file of this user's overwritten.
Result<std::string> log_place(const std::string& path);

}  // namespace oriel::log
