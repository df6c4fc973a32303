#include "log/place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/format.h"

namespace oriel::log {
namespace {

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
  } else if (!S_ISCHR(place.st_mode) || is_output(place)) {
    reason = "is no file; name a file with -o";
  }
  if (!reason) return Status::ok();
  return Status::error("the log cannot be written: '" + path + "' " + reason);
}

}  // namespace oriel::log
