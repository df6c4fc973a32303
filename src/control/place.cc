#include "control/place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace oriel::control {
namespace {

std::string reason() { return std::strerror(errno); }

}  // namespace

std::string socket_folder(std::string_view temporary, uid_t user) {
  std::string folder(temporary.empty() ? "/tmp" : temporary);
  if (folder.back() != '/') folder += '/';
  return folder + "oriel-" + std::to_string(user);
}

std::string socket_name(pid_t pid) { return std::to_string(pid); }

std::string socket_path(int folder, const std::string& name) {
  return "/proc/thread-self/fd/" + std::to_string(folder) + "/" + name;
}

sockaddr_un socket_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

std::optional<ucred> peer_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

Result<int> open_socket_folder(const std::string& folder, uid_t user, bool make) {
  constexpr mode_t kOwnOnly = 0700;
  if (make && mkdir(folder.c_str(), kOwnOnly) != 0 && errno != EEXIST)
    return Status::error("cannot make the folder " + folder + ": " + reason());
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return Status::error("cannot open the folder " + folder + ": " + reason());
  struct stat it {};
  const bool own = fstat(opened, &it) == 0 && it.st_uid == user;
  // The umask may have taken rights of its owner.
  const bool closed = own && ((it.st_mode & 07777) == kOwnOnly || (make && fchmod(opened, kOwnOnly) == 0));
  if (closed) return opened;
  close(opened);
  return Status::error("the folder " + folder + " is " + (own ? "open to other users" : "another user's"));
}

}  // namespace oriel::control
