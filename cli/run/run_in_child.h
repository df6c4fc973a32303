// Runs code that may crash in a child process.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// Runs `inspect` in a child process. An error if it returns a text other than "", crashes, or takes longer than
// `patience`. Success if no child can be created.
Status run_in_child(const std::function<std::string()>& inspect, std::chrono::seconds patience);

// Whether this program can load libraries: one that is linked statically cannot.
bool loads_libraries();

}  // namespace oriel::cli
