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
// Sets a variable, whether it was there or not.
void set_value(Environment& environment, const std::string& name, const std::string& value);

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
  bool children = false;          // profile the program's child processes too
  std::string run;                // names this run in the logs of all its processes
  std::string messages;           // file for what the engine has to say; "": its process's stderr
  Guests guests = {};             // the profilers beside it
  bool sequential_tests = false;  // runners of tests are asked for that
  bool paused = false;            // modules wait until oriel ctl starts them
  bool no_redact = false;         // nothing is left out of what logs have of the program
  bool adds_to_code = false;      // modules add to methods' code: Mono uses none that was compiled ahead of time
};

// A name that is unique on this machine, from a process id of the run and its start time.
using StartTime = std::chrono::system_clock::time_point;
std::string name_of_run(pid_t pid, StartTime start = std::chrono::system_clock::now());

// `base` with Oriel as the runtime's profiler for the process `pid` (and its children, if asked for). Which modules it
// loads is put in besides (load_in of module_options.h).
Environment profiled_environment(const Environment& base, const ProfilingSetup& setup, pid_t pid);

}  // namespace oriel::cli
