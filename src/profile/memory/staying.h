// Sampled objects that were still live when the log ended, by type and own allocation place.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct Staying {
  // An object may have survived one full collection because it was in use just then; after two it counts as staying.
  static constexpr uint32_t kStays = 2;
  static constexpr size_t kParts = 8;

  uint32_t type = 0;   // index into functions
  uint32_t own = 0;    // index into nodes: the nearest own place; 0 if there is none
  uint64_t bytes = 0;  // of objects that survived at least one full collection; an estimate, like the next two
  uint64_t objects = 0;
  uint64_t stay_bytes = 0;               // of those that survived at least kStays
  uint64_t samples = 0;                  // that the estimates are based on
  uint32_t full = 0;                     // full collections that the oldest object survived
  std::array<double, kParts> when = {};  // bytes by time of allocation, in equal parts of the tracked time
};

// The types, as patterns, of which every object was followed; "" if a sample of all objects was.
std::string followed_types(const Profile& profile);
// Whether there were so many of them that each followed object stands for several.
bool followed_is_part(const Profile& profile);

// By bytes, descending. One row per type and place; several places may be in one line.
std::vector<Staying> staying(const Profile& profile);

}  // namespace oriel::profile
