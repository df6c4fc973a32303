// Which place in own code has most of something.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Of samples and waits below managed methods whose name begins so. An index into nodes; 0: none of them is called by
// own code.
uint32_t own_place_calling(std::string_view begins, const Profile& profile);

// Of samples in the runtime's code while a collection that was asked for stopped the program: whoever asks runs it. An
// index into nodes; 0: none of them is called by own code.
uint32_t own_place_asking_to_collect(const Profile& profile);

// Of these periods, by node, in that own function or nearest to it: an index into nodes; 0: there are none.
uint32_t own_place_in(uint32_t function, const std::vector<uint64_t>& periods, const Profile& profile);

}  // namespace oriel::profile
