#include "run/streamed_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "log/stream.h"

namespace oriel::cli {
namespace {

// ENXIO: nobody reads it.
int open_when_read(const std::string& path) {
  constexpr int kTries = 100;
  constexpr timespec kPause{0, 20'000'000};
  int pipe = -1;
  for (int tries = 0; tries < kTries; ++tries) {
    pipe = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    if (pipe >= 0 || errno != ENXIO) break;
    nanosleep(&kPause, nullptr);
    errno = ENXIO;
  }
  return pipe;
}

}  // namespace

Result<std::unique_ptr<StreamedLog>> StreamedLog::open(const std::string& path) {
  struct stat place {};
  if (!log::is_stream(path)) return std::unique_ptr<StreamedLog>();
  const bool is_pipe = lstat(path.c_str(), &place) == 0 && S_ISFIFO(place.st_mode);
  const int pipe = is_pipe ? open_when_read(path) : -1;
  if (is_pipe && pipe < 0) return log::cannot_open_pipe(path, errno);
  if (!is_pipe)
    if (Status status = log::check_socket(path); !status) return status;
  return std::unique_ptr<StreamedLog>(new StreamedLog(pipe));
}

int64_t StreamedLog::modified_ns() const {
  struct stat now {};
  if (pipe_.number() < 0 || fstat(pipe_.number(), &now) != 0) return -1;
  return now.st_mtim.tv_sec * 1'000'000'000 + now.st_mtim.tv_nsec;
}

bool StreamedLog::was_written() const { return pipe_.number() < 0 || modified_ns() != before_ns_; }

}  // namespace oriel::cli
