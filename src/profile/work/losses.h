// What a run lost, by what it was: the one place that sorts and words the log's reasons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class LostWhat {
  kSamples,
  kCallers,  // the outer callers of samples that were taken
  kEvents,
  kCallEvents,  // of calls and allocations
};

struct LostReason {
  uint64_t count = 0;
  std::string words;  // "a buffer was full"; one that is not known as the log has it, control characters and all
};

struct Loss {
  LostWhat what = LostWhat::kSamples;
  uint64_t count = 0;
  // All samples of the run, with those that were lost where these are samples. 0: of events, and where the profile is
  // weighed by something else, nobody knows.
  uint64_t of = 0;
  std::vector<LostReason> reasons;
};

// One for each kind of which something was lost, in the order above.
std::vector<Loss> losses(const Profile& profile);

uint64_t lost_samples(const Profile& profile);

}  // namespace oriel::profile
