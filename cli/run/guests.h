// The classic profilers that run beside Oriel: those that the environment names, and those that are given.
#pragma once

#include <string>
#include <vector>

#include "base/process/guest_list.h"
#include "base/status.h"
#include "run/environment.h"

namespace oriel::cli {

struct GuestOptions {
  std::vector<std::string> profilers;  // "{CLSID}=PATH"
  std::string config;                  // file of such lines
  bool none = false;                   // not even the one that the environment names
};

// Each is tried in a process of its own: one that cannot be loaded is an error here, in one line. The one that the
// environment names is only left out with a line on stderr, as the runtime would.
Result<Guests> find_guests(const GuestOptions& options, const Environment& environment);

// Whether the guest's library can be loaded and makes a profiler. A crash, or a load that takes longer than 10 s, is an
// error too.
Status try_guest(const GuestSpec& guest);

}  // namespace oriel::cli
