// The processor time of a run, and how much of it was Oriel's own.
#pragma once

#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace oriel::profile {

struct CpuTime {
  uint64_t user_us = 0;  // of the process, Oriel's threads with it
  uint64_t system_us = 0;
  uint64_t oriel_us = 0;   // of Oriel's own threads: the log's writer, the engine's; 0 if the log does not say
  uint64_t before_us = 0;  // that the process had used when the log began

  uint64_t program_us() const { return user_us + system_us - oriel_us; }
};

// None if the log does not say.
std::optional<CpuTime> cpu_time(const Profile& profile);

// How many processors the program kept busy since the log began. None where that is not known: of a log that ends so
// early that its times do not tell, which would make it more than the machine has.
std::optional<double> cores_busy(const Profile& profile);

}  // namespace oriel::profile
