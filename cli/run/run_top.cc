#include "run/run_top.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "base/files/open_file.h"
#include "commands.h"
#include "diagnostics/process.h"
#include "live/top_session.h"
#include "report/words/text.h"
#include "run/log_files.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;

std::string output_path(const std::string& name, pid_t pid) { return fmt::format("{}-{}-output.txt", name, pid); }

}  // namespace

Status check_top() {
  if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) return Status::ok();
  return Status::error("run: --top needs a terminal; without one, use oriel top PID beside oriel run");
}

SilentInput::SilentInput() { static_cast<void>(pipe2(ends_, O_CLOEXEC)); }

SilentInput::~SilentInput() {
  for (const int end : ends_)
    if (end >= 0) close(end);
}

// What cannot be redirected stays: the program's output on the screen is a lesser evil than a program that cannot run.
void redirect_for_top(const std::string& name, pid_t pid, const SilentInput& input) {
  if (isatty(STDIN_FILENO) == 1 && input.reader() >= 0) dup2(input.reader(), STDIN_FILENO);
  const bool out = isatty(STDOUT_FILENO) == 1, err = isatty(STDERR_FILENO) == 1;
  if (!out && !err) return;
  const int file = open(output_path(name, pid).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (out) dup2(file, STDOUT_FILENO);
  if (err) dup2(file, STDERR_FILENO);
}

void show_top(const std::string& name, pid_t pid, std::function<std::string()> log,
              const std::function<void()>& pass_on_signals) {
  constexpr int64_t kMostPause = 200;  // milliseconds
  const std::optional<diagnostics::Process> process = diagnostics::read_process(pid);
  if (!process) return;
  TopSettings settings;
  settings.screen = true;
  TopSession session(settings, {name, pid}, process->start_ticks);
  const OpenFile ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  session.begin(std::move(log));
  for (;;) {
    pollfd files[] = {{ended.number(), POLLIN, 0}, {session.descriptor(), POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(session.next_turn() - TopSession::Clock::now());
    poll(files, std::size(files), static_cast<int>(std::clamp<int64_t>(left.count(), 0, kMostPause)));
    pass_on_signals();
    const bool has_ended = files[0].revents != 0;
    if (session.turn() && !has_ended) continue;
    session.end(has_ended);
    if (!session.failure()) say("run: " + report::clean(session.failure().message()));
    if (!has_ended) say(fmt::format("{} ({}) runs on; Ctrl-C ends it", report::clean(name), pid));
    return;
  }
}

void say_output(const std::string& name, pid_t pid) {
  const std::string path = output_path(name, pid);
  struct stat state {};
  if (stat(path.c_str(), &state) != 0) return;
  if (state.st_size == 0) {
    unlink(path.c_str());
  } else {
    say(fmt::format("the program's output is in {} ({})", report::clean(path),
                    human_size(static_cast<uint64_t>(state.st_size))));
  }
}

}  // namespace oriel::cli
