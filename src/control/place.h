// Where the control socket of a process is: TMPDIR/oriel-UID/PID, in a folder that nobody else may enter.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace oriel::control {

// The folder of a user's sockets. `temporary` is the TMPDIR of the process, as it is for the process; "": /tmp.
std::string socket_folder(std::string_view temporary, uid_t user);
// A socket's name in it. `pid` is the process's own, in its namespace.
std::string socket_name(pid_t pid);

// Opens the folder, which must be the user's alone: no link, owned by `user`, and closed to others. With `make` it is
// made if it is missing. The descriptor is the caller's, closed on exec. Errors name the folder and what is wrong.
Result<int> open_socket_folder(const std::string& folder, uid_t user, bool make);

// The socket by the folder's descriptor: such a path is always short enough for an address, and what others do to the
// folders above does not matter.
std::string socket_path(int folder, const std::string& name);

// The address of such a path.
sockaddr_un socket_address(const std::string& path);

// Who is at the other end of a connected socket, as the kernel tells; nullopt if it does not.
std::optional<ucred> peer_of(int socket);

}  // namespace oriel::control
