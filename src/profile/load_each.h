// Reads several logs without making one profile of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::profile {

// As load() of several logs, but each log's profile is for itself. Times of the filter count from the earliest start,
// those of a profile from its own. A log without the filter's thread or method has none of its rows; an error if no log
// has it.
Result<std::vector<Profile>> load_each(const std::vector<std::string>& paths, const Filter& filter,
                                       const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace oriel::profile
