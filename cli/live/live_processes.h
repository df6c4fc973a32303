// The .NET processes that run on this machine, as they are seen from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "diagnostics/message.h"
#include "diagnostics/port.h"
#include "diagnostics/process.h"
#include "diagnostics/runtime.h"

namespace oriel::cli {

struct LiveProcess {
  diagnostics::Process process;
  diagnostics::Runtime runtime;
  diagnostics::PortPlace place;                          // of its diagnostics port
  std::optional<Result<diagnostics::ProcessInfo>> info;  // what the runtime says; not asked where there is no port, and
                                                         // of stopped processes and other users'

  // The runtime's version, "" if nobody knows.
  std::string version() const;
};

// For how many seconds it has run.
int64_t age_of(const diagnostics::Process& process);

// One of any user; nullopt if there is none of .NET with this pid. Keeps it waiting for 3 s at most.
std::optional<LiveProcess> live_process(pid_t pid);

// Those of this user, by pid; with `all`, and for root, of all users: of processes that may not be looked into, those
// that can be recognized. Processes that do not answer keep it waiting for 0.3 s in all.
std::vector<LiveProcess> live_processes(bool all);

}  // namespace oriel::cli
