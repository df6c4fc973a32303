// Pipes and sockets as the target of a log: another process reads it while it is written, and nothing is written to a
// disk.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel::log {

// Whether `path` names a pipe or a socket. It may be a link's end, no link.
bool is_stream(const std::string& path);

// Why a pipe could not be opened for writing, by errno: ENXIO means that nobody reads it.
Status cannot_open_pipe(const std::string& path, int error);

// An error if no process has the socket. Does not connect to it, which its listener would take for a log.
Status check_socket(const std::string& path);

// Opens a pipe that another process reads, or connects to the socket of one that listens. The descriptor does not block
// and has a high number (base/files/descriptor.h); close_log closes it. Until then no other process writes a log to
// that pipe. Errors name the path and the reason.
Result<int> open_stream(const std::string& path);

}  // namespace oriel::log
