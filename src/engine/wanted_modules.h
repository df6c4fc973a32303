// The modules that a process is to have from its start.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel {

struct WantedModules {
  std::string descriptions;  // with ';' between them
  bool paused = false;       // they wait until they are started
  bool no_redact = false;    // nothing is left out of what logs have of the program
};

// Those of ORIEL_PROFILERS, which `oriel run` sets, with ORIEL_PAUSED=1. Otherwise those of the settings in the file
// ORIEL_CONFIG or, without that variable, oriel.json in the engine's folder if there is one. Errors name the file.
Result<WantedModules> wanted_modules(const std::string& engine_folder);

// Whether there is any of these, even if it names no modules.
bool is_told_of_modules(const std::string& engine_folder);

}  // namespace oriel
