// Finds the runtime's native code that throws exceptions, which has no symbols.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By node: for native runtime code that throws, the managed function that handles the exception for it
// (System.Runtime.EH, from .NET 9); 0 if it does not throw, or mostly does other things.
std::vector<uint32_t> throwing_nodes(const Profile& profile);

}  // namespace oriel::profile
