// Positions in own methods whose code boxes values.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By position: whether the code up to the method's next position with a frame boxes a value. Frames' positions are as
// precise as the runtime reports them: usually starts of statements.
std::vector<bool> boxing_positions(const Places& places);

}  // namespace oriel::profile
