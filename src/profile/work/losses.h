// What a run lost, by kind and reason: the one place that sorts and words the log's reasons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class LossKind {
  kSamples,
  kCallers,  // outer callers of samples
  kEvents,
  kCalls,  // enters and leaves
  kAllocations,
  kCallEvents,  // of calls or allocations: older logs count them together
};

struct LostReason {
  uint64_t count = 0;
  std::string words;  // "a buffer was full"; an unknown reason is copied from the log unchanged, with any control
                      // characters
};

struct Loss {
  LossKind what = LossKind::kSamples;
  uint64_t count = 0;
  // For kinds of samples: all samples of the run including lost ones. 0 if not known: for events, and in a weighed
  // profile.
  uint64_t of = 0;
  std::vector<LostReason> reasons;
};

// One for each kind with losses, in the order of LossKind.
std::vector<Loss> losses(const Profile& profile);

uint64_t lost_samples(const Profile& profile);

}  // namespace oriel::profile
