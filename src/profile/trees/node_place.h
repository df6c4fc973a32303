// A node's place in the code, independent of its callers.
#pragma once

#include <cstdint>
#include <utility>

#include "profile/profile.h"

namespace oriel::profile {

using NodePlace = std::pair<uint32_t, uint32_t>;  // function and position

inline NodePlace place_of(uint32_t node, const Profile& profile) {
  return {profile.nodes[node].function, profile.nodes[node].position};
}

}  // namespace oriel::profile
