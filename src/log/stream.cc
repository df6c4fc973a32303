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

Result<int> open_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return refused(path, "a socket's path has at most 107 bytes");
  std::memcpy(address.sun_path, path.data(), path.size());
  OpenFile low(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const bool connected =
      low.number() >= 0 && connect(low.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  if (!connected && errno == ECONNREFUSED) return refused(path, "nobody listens on the socket");
  if (!connected) return refused(path, std::strerror(errno));
  return with_high_number(low.release());
}

}  // namespace

bool is_stream(const std::string& path) {
  struct stat place {};
  return lstat(path.c_str(), &place) == 0 && (S_ISFIFO(place.st_mode) || S_ISSOCK(place.st_mode));
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
