// Why Oriel cannot be attached to a process.
#pragma once

#include <string>

#include "live/live_processes.h"
#include "live/presence.h"

namespace oriel::cli {

inline constexpr const char* kNoSocket = "no diagnostics socket";
inline constexpr const char* kOrielInside = "Oriel is in it";

// A short phrase, "DOTNET_EnableDiagnostics=0"; "" if it can be attached to. `oriel` is what it does there, `engine` is
// the path of Oriel's library ("": not known), which the process would have to load.
std::string obstacle_to_attaching(const LiveProcess& live, const Presence& oriel, const std::string& engine);

}  // namespace oriel::cli
