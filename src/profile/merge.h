// Merges several logs into one profile: the processes of one command, or runs of one program.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::profile {

// Start of one log relative to the earliest of several, in nanoseconds.
int64_t offset_between(int64_t earliest_unix_us, int64_t start_unix_us);

// An error, one line for a person, if the parts cannot be merged. All must be sampled alike or not at all, and either
// all or none must be call graphs.
Status check_alike(const std::vector<Profile>& parts);

// Merges at least one part as if one log had held all of them. Equal functions and stacks become one; threads, calls
// and collections stay separate. Times are relative to the earliest start. The intro, with command and runtime, is the
// first part's. Sums are those of all parts. Call it before apply(), and only if check_alike() returned no error.
Profile merge(std::vector<Profile> parts);

}  // namespace oriel::profile
