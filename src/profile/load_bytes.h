// A log in memory, of a program that runs, as a profile.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "profile/profile.h"

namespace oriel::profile {

// `name` stands for the log's file. Errors as load().
Result<Profile> load_bytes(std::span<const uint8_t> log, const std::string& name);

}  // namespace oriel::profile
