// Looks at what is not ours, in a process of its own, of which nothing stays behind.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// Runs `inspect` in a child: an error with what it returns, unless that is "", if it crashes, or if it takes longer
// than `patience`. Where no child can be made, nothing was found.
Status tried_in_child(const std::function<std::string()>& inspect, std::chrono::seconds patience);

}  // namespace oriel::cli
