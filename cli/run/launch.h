// Running the program: started, waited for, its signals left to it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "run/environment.h"

namespace oriel::cli {

struct Ending {
  pid_t pid = 0;
  int exit_code = 0;    // the program's, kSignalBase + n after a signal; kRunFailed, kNotFound, kNotExecutable
  int signal = 0;       // that ended the program, 0 if none
  std::string message;  // not empty: it did not start, and why
};

// Runs `path` with `command` as its arguments and waits for its end. `environment_for` is called in the new process
// with its id. Meanwhile SIGINT and SIGQUIT do nothing here (a terminal sends them to the program too); those that were
// sent to this process alone, SIGTERM and SIGHUP are passed on. The calling process must have one thread only.
// `look`, if there is one, is called with the new process's id while it runs, ever more seldom, until it returns true.
Ending launch(const std::string& path, const std::vector<std::string>& command,
              const std::function<Environment(pid_t)>& environment_for, const std::function<bool(pid_t)>& look = {});

}  // namespace oriel::cli
