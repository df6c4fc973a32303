// What Oriel does in a process.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/process.h"

namespace oriel::cli {

struct Presence {
  bool inside = false;               // its engine is loaded
  std::vector<std::string> modules;  // "log", by their libraries
  std::vector<std::string> files;    // that Oriel's threads write, by paths in the process's file system
};

Presence presence_in(const diagnostics::Process& process);

}  // namespace oriel::cli
