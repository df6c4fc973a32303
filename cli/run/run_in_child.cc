#include "run/run_in_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace oriel::cli {
namespace {

// All that comes through it; false if it is still open when the time is over.
bool read_all(int fd, std::chrono::steady_clock::time_point until, std::string& text) {
  char buffer[1024];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd waited{fd, POLLIN, 0};
    const int ready = poll(&waited, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return true;
  }
}

}  // namespace

Status run_in_child(const std::function<std::string()>& inspect, std::chrono::seconds patience) {
  if (dlopen(nullptr, RTLD_LAZY) == nullptr) return Status::ok();  // linked statically
  int ends[2];
  // What the library starts as it is loaded is not waited for.
  if (pipe2(ends, O_CLOEXEC) != 0) return Status::ok();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string problem = inspect();
    const ssize_t written = write(ends[1], problem.data(), problem.size());
    _exit(written == static_cast<ssize_t>(problem.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string problem;
  const bool ended = child < 0 || read_all(ends[0], std::chrono::steady_clock::now() + patience, problem);
  close(ends[0]);
  if (child < 0) return Status::ok();
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) return Status::error(fmt::format("it did not load within {} s", patience.count()));
  if (!problem.empty()) return Status::error(problem);
  return status == 0 ? Status::ok() : Status::error("it crashes when it is loaded");
}

}  // namespace oriel::cli
