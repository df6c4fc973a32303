#include "log/stream.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files/descriptor.h"
#include "base/files/open_file.h"

namespace oriel::log {
namespace {

Status refused(const std::string& path, const std::string& reason) {
  return Status::error("the log cannot be written to '" + path + "': " + reason);
}

Result<int> open_pipe(const std::string& path) {
  OpenFile pipe(open_with_high_number(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  struct stat opened {};
  if (pipe.number() < 0 || fstat(pipe.number(), &opened) != 0) return cannot_open_pipe(path, errno);
  if (!S_ISFIFO(opened.st_mode)) return refused(path, "it has become another file");
  if (flock(pipe.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return refused(path, "another process writes its log to this pipe; name another one with -o");
  return pipe.release();
}

// Connects a socket of that type. 0, or the error as in errno.
int connect_to(const sockaddr_un& address, int type, OpenFile& made) {
  made.replace(socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (made.number() < 0) return errno;
  return connect(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

Status address_of(const std::string& path, sockaddr_un& address) {
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return refused(path, "a socket's path has at most 107 bytes");
  std::memcpy(address.sun_path, path.data(), path.size());
  return Status::ok();
}

Status cannot_connect(const std::string& path, int error) {
  return refused(path, error == ECONNREFUSED ? "nobody listens on the socket" : std::strerror(error));
}

Result<int> open_socket(const std::string& path) {
  sockaddr_un address{};
  if (Status status = address_of(path, address); !status) return status;
  OpenFile low(-1);
  const int error = connect_to(address, SOCK_STREAM, low);
  if (error != 0) return cannot_connect(path, error);
  return with_high_number(low.release());
}

}  // namespace

bool is_stream(const std::string& path) {
  struct stat place {};
  return lstat(path.c_str(), &place) == 0 && (S_ISFIFO(place.st_mode) || S_ISSOCK(place.st_mode));
}

// The system looks for who has the socket before it compares types.
Status check_socket(const std::string& path) {
  sockaddr_un address{};
  if (Status status = address_of(path, address); !status) return status;
  OpenFile of_other_type(-1);
  const int error = connect_to(address, SOCK_DGRAM, of_other_type);
  return error == 0 || error == EPROTOTYPE ? Status::ok() : cannot_connect(path, error);
}

Status cannot_open_pipe(const std::string& path, int error) {
  return refused(path, error == ENXIO ? "nobody reads the pipe; start its reader first" : std::strerror(error));
}

Result<int> open_stream(const std::string& path) {
  struct stat place {};
  if (lstat(path.c_str(), &place) != 0) return refused(path, std::strerror(errno));
  return S_ISSOCK(place.st_mode) ? open_socket(path) : open_pipe(path);
}

}  // namespace oriel::log
