#include "output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

std::string part_of(const std::string& path) {
  static std::atomic<unsigned> made{0};
  return path + fmt::format(".{}-{}.part", getpid(), ++made);
}

// Creates an empty file with the permissions of the file at `path`, if there is one. Returns 0 or an errno.
int make_part(const std::string& part, const std::string& path) {
  struct stat there {};
  const bool is_there = stat(path.c_str(), &there) == 0;
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  if (is_there) [[maybe_unused]]
    const int kept = fchmod(file, there.st_mode & 0777);
  close(file);
  return 0;
}

bool may_be_written(const std::string& path) { return access(path.c_str(), W_OK) == 0; }

// The target of a link.
std::string place_of(const std::string& path) {
  std::error_code error;
  const fs::path place = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  return error ? path : place.string();
}

}  // namespace

Status cannot_be_written(const std::string& path, int error) {
  return Status::error(
      fmt::format("'{}' cannot be written: {}; name another place with -o", path, std::strerror(error)));
}

Status write_output(const std::string& path, const std::function<Status(const std::string& place)>& write) {
  std::error_code error;
  const std::string place = place_of(path);
  const bool is_there = fs::exists(place, error);
  if (is_there && !fs::is_regular_file(place, error)) return write(place);
  const std::string part = part_of(place);
  if (const int fault = make_part(part, place); fault != 0)
    return is_there && may_be_written(place) ? write(place) : cannot_be_written(path, fault);
  Status status = write(part);
  if (status) fs::rename(part, place, error);
  if (status && error) status = cannot_be_written(path, error.value());
  if (!status) fs::remove(part, error);
  return status;
}

Status check_not_read(const std::string& path, const std::vector<std::string>& files_read) {
  std::error_code error;
  const auto is_it = [&](const std::string& file) { return fs::equivalent(path, file, error); };
  if (std::ranges::none_of(files_read, is_it)) return Status::ok();
  return Status::error(fmt::format("'{}' is a file that is read; name another one with -o", path));
}

Status check_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return Status::error(fmt::format("'{}' is a folder; name a file in it", path));
  const std::string place = place_of(path);
  if (fs::exists(place, error)) return may_be_written(place) ? Status::ok() : cannot_be_written(path, errno);
  const std::string part = part_of(place);
  if (const int fault = make_part(part, place); fault != 0) return cannot_be_written(path, fault);
  fs::remove(part, error);
  return Status::ok();
}

}  // namespace oriel::cli
