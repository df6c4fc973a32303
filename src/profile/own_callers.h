// Which place in own code has most of what a library's method takes.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/profile.h"

namespace oriel::profile {

// Of samples and waits below managed methods whose name begins so. An index into nodes; 0: none of them is called by
// own code.
uint32_t own_place_calling(std::string_view begins, const Profile& profile);

}  // namespace oriel::profile
