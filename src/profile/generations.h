// Which generation a full collection is of.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// Mono has a nursery and one older generation.
inline uint32_t oldest_generation(const Profile& profile) {
  return profile.intro.runtime.starts_with("Mono ") ? 1 : kOldestGeneration;
}

}  // namespace oriel::profile
