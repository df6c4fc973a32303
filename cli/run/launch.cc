#include "run/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "exit_codes.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSeldom{10'000};  // longest interval of look()

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, number);
  return set;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// Runs in the new process. Reports through `report` why the program did not start.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& command,
                         const Environment& environment, int report) {
  execve(path.c_str(), pointers(command).data(), pointers(environment).data());
  const int error = errno;
  const ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? kNotExecutable : kRunFailed);
}

// The errno of a failed execve; 0 if the program started, which closes the pipe.
int start_error(int report) {
  int error = 0;
  ssize_t count;
  do count = read(report, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

bool sent_by_a_process(const siginfo_t& info) { return info.si_code <= 0; }

// As sigwaitinfo, with timeout `most`.
int next_signal(const sigset_t& signals, milliseconds most, siginfo_t& info) {
  const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
  return sigtimedwait(&signals, &info, &time);
}

void pass_on(pid_t child, int number, const siginfo_t& info) {
  const bool from_terminal = (number == SIGINT || number == SIGQUIT) && !sent_by_a_process(info);
  if (number > 0 && number != SIGCHLD && !from_terminal) kill(child, number);
}

void pass_on_all(pid_t child) {
  const sigset_t signals = handled_signals();
  siginfo_t info{};
  for (int number = 0; (number = next_signal(signals, milliseconds(0), info)) > 0;) pass_on(child, number, info);
}

int wait_for_end(pid_t child, const std::function<bool(pid_t)>& look) {
  const sigset_t signals = handled_signals();
  milliseconds pause{20};
  for (bool seen = !look;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    seen = seen || look(child);
    siginfo_t info{};
    const int number = seen ? sigwaitinfo(&signals, &info) : next_signal(signals, pause, info);
    pause = std::min(pause + pause / 8, kSeldom);
    pass_on(child, number, info);
  }
}

// Discards signals that came after the program's end, so that they do not end this process.
void drop_pending(const sigset_t& signals) {
  const timespec now{};
  while (sigtimedwait(&signals, nullptr, &now) > 0) {
  }
}

std::string why_not_started(const std::string& path, int error) {
  if (error == ENOENT) return fmt::format("'{}' needs an interpreter that is missing; look at its first line", path);
  if (error == ENOEXEC) return fmt::format("'{}' is not a program for this machine; name another file", path);
  return fmt::format("'{}' cannot be started: {}", path, std::strerror(error));
}

}  // namespace

ProcessResult launch(const std::string& path, const std::vector<std::string>& command,
                     const std::function<Environment(pid_t)>& environment_for, const std::function<bool(pid_t)>& look,
                     const std::function<void(pid_t, const std::function<void()>&)>& meanwhile) {
  ProcessResult ending;
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    ending.exit_code = kRunFailed;
    ending.message = fmt::format("cannot create a pipe: {}; close some files", std::strerror(errno));
    return ending;
  }
  const sigset_t signals = handled_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  struct sigaction child_default {};
  struct sigaction child_before {};
  child_default.sa_handler = SIG_DFL;  // an inherited SIG_IGN would discard the exit code
  sigaction(SIGCHLD, &child_default, &child_before);

  ending.pid = fork();
  if (ending.pid == 0) {
    sigaction(SIGCHLD, &child_before, nullptr);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(path, command, environment_for(getpid()), report[1]);
  }
  close(report[1]);
  if (ending.pid < 0) {
    ending.exit_code = kRunFailed;
    ending.message = fmt::format("cannot start a process: {}", std::strerror(errno));
  } else {
    const int error = start_error(report[0]);
    if (meanwhile && error == 0) meanwhile(ending.pid, [&] { pass_on_all(ending.pid); });
    const int status = wait_for_end(ending.pid, look);
    ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ending.exit_code = ending.signal ? kSignalBase + ending.signal : WEXITSTATUS(status);
    if (error != 0) {
      ending.exit_code = error == ENOENT ? kNotFound : kNotExecutable;
      ending.message = why_not_started(path, error);
    }
  }
  close(report[0]);
  drop_pending(signals);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return ending;
}

}  // namespace oriel::cli
