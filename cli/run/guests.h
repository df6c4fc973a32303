// Other profilers that run beside Oriel: the one from the environment, and those given as options.
#pragma once

#include <string>
#include <vector>

#include "base/process/guest_list.h"
#include "base/status.h"
#include "run/environment.h"

namespace oriel::cli {

struct GuestOptions {
  std::vector<std::string> profilers;  // "{CLSID}=PATH"
  std::string config;                  // a file of such lines
  bool none = false;                   // exclude also the one from the environment
};

// Tries each in a child process. One that cannot be loaded is a one-line error. The one from the environment is left
// out instead, with a line on stderr, as the runtime would do.
Result<Guests> find_guests(const GuestOptions& options, const Environment& environment);

// Checks in a child process that the guest's library loads and creates a profiler. A crash, or a load of more than 10
// s, is an error.
Status try_guest(const GuestSpec& guest);

}  // namespace oriel::cli
