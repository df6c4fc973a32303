// Loads libraries in a child process, which they may crash.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// Runs `inspect` in a child process. An error if it returns a text other than "", crashes, or takes longer than
// `patience`. Success if no child can be created, or this program cannot load libraries: the engine tries them then.
Status run_in_child(const std::function<std::string()>& inspect, std::chrono::seconds patience);

}  // namespace oriel::cli
