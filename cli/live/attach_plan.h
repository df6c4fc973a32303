// What `oriel attach` is to do, checked before the program is touched.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/status.h"
#include "live/live_processes.h"
#include "run/module_options.h"

namespace oriel::cli {

struct AttachOptions {
  std::string pid;
  std::string output;
  std::string duration;
  ModuleOptions built_in;
};

struct AttachPlan {
  LiveProcess live;
  std::string name;                                   // of the program
  std::string engine;                                 // the path of its library
  std::string log;                                    // where the user wants it
  std::optional<std::chrono::milliseconds> duration;  // nullopt: until it is interrupted
  std::vector<PlannedModule> modules;                 // the first writes the log, each other one a file beside it
  std::string changes_code;                           // the option for which code is changed; "": it is only watched
  bool again = false;                                 // the engine has stayed in it since an earlier time

  std::string who() const;  // "4711 (Shop)"
};

// The error is one line for the user. Waits a few seconds for a program that has just started.
Result<AttachPlan> plan_attach(const AttachOptions& options);
// Likewise, to watch the process without a change of code: with a log of that name for a companion (watch.h), and with
// these options of the log module.
Result<AttachPlan> plan_watching(const std::string& pid, const std::string& name, const std::string& log_options);

}  // namespace oriel::cli
