// Which objects stay: those of the sample that were still there when the log ended, by type and by the place of own
// code that had them made.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct Staying {
  // An object that was made before a collection of all generations and is there after it may just be in use; one that
  // two such collections have left stays.
  static constexpr uint32_t kStays = 2;
  static constexpr size_t kParts = 8;

  uint32_t type = 0;   // index into functions
  uint32_t own = 0;    // index into nodes: the nearest of own code, 0 if there is none
  uint64_t bytes = 0;  // of objects that at least one such collection has left, estimates as the next two
  uint64_t objects = 0;
  uint64_t stay_bytes = 0;               // of those that kStays have left
  uint64_t samples = 0;                  // from which they are estimated
  uint32_t full = 0;                     // so many the oldest has survived
  std::array<double, kParts> when = {};  // bytes, by when they were allocated: parts of the time of following
};

// Most bytes first. Of one type and place together; several places may be of one line.
std::vector<Staying> staying(const Profile& profile);

}  // namespace oriel::profile
