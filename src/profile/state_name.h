#pragma once

#include "profile/dictionaries.h"

namespace oriel::profile {

// "complete", "running", "stopped", "unknown": as tables and JSON have it.
const char* state_name(LogState state);

}  // namespace oriel::profile
