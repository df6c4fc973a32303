// The diagnostics port of a runtime: a Unix socket in the folder for temporary files that the process was started with,
// TMPDIR or /tmp. It is named after the process's id in its own namespace and the time when it started, so that a
// socket that an earlier process of the same id left behind is never taken for it. (In a time namespace of its own a
// process has another time, and its port is not found.)
#pragma once

#include <string>

#include "diagnostics/process.h"

namespace oriel::diagnostics {

struct Port {
  std::string folder;  // as this process can open it
  std::string name;    // "dotnet-diagnostic-4711-159808-socket"
  pid_t pid = 0;       // of who listens there

  std::string path() const { return folder + "/" + name; }
};

enum class PortState {
  kThere,
  kNone,      // the runtime opened none, or has not yet
  kNoFolder,  // TMPDIR names none
  kTooLong,   // TMPDIR is too long for a socket in it
  kRemoved,   // somebody deleted it
};

struct PortPlace {
  PortState state = PortState::kNone;
  Port port = {};
};

// Of a process that is not readable, the port in /tmp of this process's file system. Any thread; no locks.
PortPlace find_port(const Process& process);

}  // namespace oriel::diagnostics
