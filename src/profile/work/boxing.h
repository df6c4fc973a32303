// Which places in own methods box values.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By position: whether the code from there to the next position of the method that any frame has boxes a value. The
// places that frames have are as near as the runtime tells them: the beginnings of statements, as a rule.
std::vector<bool> boxing_positions(const Places& places);

}  // namespace oriel::profile
