// Runs the program and waits for it; signals are left to the program.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "run/environment.h"

namespace oriel::cli {

struct ProcessResult {
  pid_t pid = 0;
  int exit_code = 0;    // the program's, or kSignalBase + n after a signal; kRunFailed, kNotFound, kNotExecutable
  int signal = 0;       // the signal that ended the program; 0 if none
  std::string message;  // why it did not start; "" if it did
};

// Runs `path` with arguments `command` and waits for its end. `environment_for` is called in the new process with its
// pid. Meanwhile this process ignores SIGINT and SIGQUIT from a terminal, which sends them to the program too. It
// forwards SIGTERM, SIGHUP, and SIGINT and SIGQUIT that were sent to this process alone. The process must be
// single-threaded. `look`, if given, is called here with the program's pid while it runs, at growing intervals, until
// it returns true. `meanwhile`, if given, is called once before that, with what passes signals on as described, which
// it is to call often until it returns.
ProcessResult launch(const std::string& path, const std::vector<std::string>& command,
                     const std::function<Environment(pid_t)>& environment_for,
                     const std::function<bool(pid_t)>& look = {},
                     const std::function<void(pid_t, const std::function<void()>&)>& meanwhile = {});

}  // namespace oriel::cli
