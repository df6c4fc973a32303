// Where the runtime's own code throws exceptions, of which nothing tells the name.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By node: of the runtime's code that throws, the function that it has the exception handled by, which is managed code
// from .NET 9 on (System.Runtime.EH); 0: it does not throw, or does other things most of the time.
std::vector<uint32_t> throwing_nodes(const Profile& profile);

}  // namespace oriel::profile
