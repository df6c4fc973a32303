// The contract between `oriel run --children` and the engines in the processes that it starts.
#pragma once

#include <string_view>

namespace oriel {

// The first line of a file that gathers messages (ORIEL_MESSAGES). Its maker holds a lock on it (flock) while it lives.
inline constexpr std::string_view kGathering = "gathering\n";

}  // namespace oriel
