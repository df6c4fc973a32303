// The place in own code with most samples of some kind.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// For samples and waits below managed methods whose names start with `begins`. An index into nodes; 0 if own code calls
// none of them.
uint32_t own_place_calling(std::string_view begins, const Profile& profile);

// For runtime samples during induced collections, which run on the thread that requests them. An index into nodes; 0 if
// own code calls none of them.
uint32_t own_place_asking_to_collect(const Profile& profile);

// For these periods, by node: the heaviest place in that own function. An index into nodes; 0 if there are no periods.
uint32_t own_place_in(uint32_t function, const std::vector<uint64_t>& periods, const Profile& profile);

}  // namespace oriel::profile
