// What Oriel does in a process.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/process.h"

namespace oriel::cli {

struct Presence {
  bool inside = false;               // its engine is at work; a library that was left behind is not
  std::vector<std::string> modules;  // "log", by their libraries
  std::vector<std::string> files;    // that Oriel's threads write, by paths in the process's file system
  bool off = false;                  // it only waits for commands
};

// What the names of the engine's library begin with.
inline constexpr const char* kEngineLibrary = "liboriel.so";

Presence presence_in(const diagnostics::Process& process);

}  // namespace oriel::cli
