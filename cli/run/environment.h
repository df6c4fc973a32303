// The environment that makes a runtime load the engine.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/process/guest_list.h"
#include "base/status.h"

namespace oriel::cli {

using Environment = std::vector<std::string>;  // "NAME=VALUE" each

Environment current_environment();

// The value of a variable, "" if it is not set.
std::string value_of(const Environment& environment, const std::string& name);

// An error if the environment forbids profilers.
Status check_environment(const Environment& environment);

// The profilers that run beside Oriel.
struct Guests {
  std::vector<GuestSpec> specs;  // in their order
  bool taken = false;            // the first is the one that the environment names
  bool none = false;             // nobody's environment is to name one, not that of children either
};

struct ProfilingSetup {
  std::string engine;             // path of the engine's library
  std::string profilers;          // module descriptions, joined by ';'
  bool children = false;          // profile the program's child processes too
  std::string run;                // names this run in the logs of all its processes
  std::string messages;           // file for what the engine has to say; "": its process's stderr
  Guests guests = {};             // the profilers beside it
  bool tests_one_by_one = false;  // runners of tests are asked for that
  bool no_redact = false;         // nothing is left out of what logs have of the program
};

// A name that no other run on this machine has, of the id of a process of its own, and when it started.
using StartTime = std::chrono::system_clock::time_point;
std::string name_of_run(pid_t pid, StartTime start = std::chrono::system_clock::now());

// `base` with Oriel as the runtime's profiler for the process `pid` (and its children, if asked for).
Environment profiled_environment(const Environment& base, const ProfilingSetup& setup, pid_t pid);

}  // namespace oriel::cli
