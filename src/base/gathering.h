// What `oriel run --children` and the engines in the processes that it starts agree on.
#pragma once

#include <string_view>

namespace oriel {

// A file that messages are gathered in (ORIEL_MESSAGES) begins so, and is locked (flock) for as long as its maker lives
// to tell them.
inline constexpr std::string_view kGathering = "gathering\n";

}  // namespace oriel
