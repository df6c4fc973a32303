// Environment variables that make a runtime load the engine.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/process/guest_list.h"
#include "base/status.h"

namespace oriel::cli {

using Environment = std::vector<std::string>;  // entries "NAME=VALUE"

Environment current_environment();

// The value of a variable; "" if it is not set.
std::string value_of(const Environment& environment, const std::string& name);

// An error if the environment disables profilers.
Status check_environment(const Environment& environment);

// Other profilers that run in the process beside Oriel.
struct Guests {
  std::vector<GuestSpec> specs;  // in load order
  bool taken = false;            // the first one is the profiler that the environment names
  bool none = false;             // no profiler may come from the environment, not even a child's
};

struct ProfilingSetup {
  std::string engine;             // path of the engine's library
  std::string profilers;          // module descriptions, joined by ';'
  bool children = false;          // also profile child processes
  std::string run;                // the run's name in the logs of all its processes
  std::string messages;           // file for the engine's messages; "" for its stderr
  Guests guests = {};             // other profilers
  bool tests_one_by_one = false;  // ask test runners to run tests sequentially
  bool no_redact = false;         // no redaction in logs
};

// A name that is unique on this machine, from a process id of the run and its start time.
using StartTime = std::chrono::system_clock::time_point;
std::string name_of_run(pid_t pid, StartTime start = std::chrono::system_clock::now());

// `base` with Oriel as the runtime's profiler in process `pid` (and in its children, if requested).
Environment profiled_environment(const Environment& base, const ProfilingSetup& setup, pid_t pid);

}  // namespace oriel::cli
