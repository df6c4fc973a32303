// The variables by which `oriel run` enables profiling in a process.
#pragma once

#include <string_view>
#include <vector>

namespace oriel {

// The prefix of variables that keep the values from before Oriel replaced them.
inline constexpr const char* kTakenPrefix = "ORIEL_TAKEN_";

struct EnvironmentChange {
  std::vector<std::string_view> gone, back;  // entries NAME=VALUE, for a runtime with a copy; they live on
};

// Removes these variables from the environment once they were read, if `oriel run` set them for a single process.
// Neither the program nor its children see them, nor the log's path and Oriel's name in them. Variables that had
// another value before get it back. Does nothing if children are profiled too or if the user set the variables. Call it
// on the runtime's thread before the program's code. Throws std::bad_alloc, and then nothing has changed.
EnvironmentChange take_own_environment_out();

}  // namespace oriel
