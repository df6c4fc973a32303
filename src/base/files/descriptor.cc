#include "base/files/descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace oriel {
namespace {

constexpr int kBelow = 64;
// How many numbers are tried before the file keeps its number.
constexpr int kTries = 16;

}  // namespace

int with_high_number(int file) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
  const int below = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, kBelow));
  for (int number = below - 1; number > file && number >= below - kTries; --number) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    const int moved = fcntl(file, F_DUPFD_CLOEXEC, number);
    if (moved < 0) break;
    close(file);
    return moved;
  }
  return file;
}

int open_with_high_number(const char* path, int flags, mode_t mode) {
  const int file = open(path, flags | O_CLOEXEC, mode);
  if (file < 0) return file;
  const int saved = errno;
  const int moved = with_high_number(file);
  errno = saved;
  return moved;
}

std::string whole_text(int file) {
  std::string text;
  char bytes[4096];
  for (ssize_t got; (got = pread(file, bytes, sizeof bytes, static_cast<off_t>(text.size()))) > 0;)
    text.append(bytes, static_cast<size_t>(got));
  return text;
}

std::string system_text(const std::string& path) {
  const int file = open_with_high_number(path.c_str(), O_RDONLY);
  if (file < 0) return "";
  std::string text = whole_text(file);
  close(file);
  return text;
}

}  // namespace oriel
