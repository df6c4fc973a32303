#include "log/place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "log/format.h"

namespace oriel::log {
namespace {

namespace fs = std::filesystem;

// As many as the system follows.
constexpr int kMostLinks = 40;

Status no_place(const std::string& path, const std::string& reason) {
  return Status::error("the log cannot be written to '" + path + "': " + reason + "; name another file with -o");
}

// Whether the file is empty or begins with an intro block.
bool is_log(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  uint8_t code[2];
  const ssize_t size = read(file, code, sizeof code);
  close(file);
  return size == 0 || (size == 2 && code[0] == static_cast<uint8_t>(Block::kIntro) && code[1] == 0);
}

bool is_output(const struct stat& place) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat output {};
    if (fstat(stream, &output) == 0 && output.st_dev == place.st_dev && output.st_ino == place.st_ino) return true;
  }
  return false;
}

}  // namespace

Status may_hold_log(const std::string& path) {
  struct stat place {};
  if (stat(path.c_str(), &place) != 0) return Status::ok();
  const char* reason = nullptr;
  if (S_ISDIR(place.st_mode)) {
    reason = "is a folder; name a file in it with -o";
  } else if (S_ISREG(place.st_mode)) {
    if (is_output(place))
      reason = "is where the program's output goes; name another file with -o";
    else if (!is_log(path))
      reason = "is there already and is no log; name another file with -o, or remove it";
  } else {
    reason = "is no file; name a file with -o";
  }
  if (!reason) return Status::ok();
  return Status::error("the log cannot be written: '" + path + "' " + reason);
}

Result<std::string> log_place(const std::string& path) {
  std::error_code error;
  fs::path place = fs::absolute(path, error);
  for (int links = 0; !error && fs::is_symlink(fs::symlink_status(place, error)); links++) {
    if (links == kMostLinks) return no_place(path, "its links lead nowhere");
    const fs::path target = fs::read_symlink(place, error);
    if (!error) place = place.parent_path() / target;
  }
  // symlink_status has an error of its own for what is not there.
  if (error && error != std::errc::no_such_file_or_directory) return no_place(path, error.message());
  const fs::path folder = fs::canonical(place.parent_path(), error);
  if (error) return no_place(path, error.message());
  return (folder / place.filename()).string();
}

}  // namespace oriel::log
