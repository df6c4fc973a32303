// Several logs as one profile: the processes of one command, or runs of one program.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::profile {

// Nanoseconds from the start of the earliest of several logs to that of one of them.
int64_t offset_between(int64_t earliest_unix_us, int64_t start_unix_us);

// Why these cannot be added up: one line for a person. They can if all are sampled alike or not at all, and either all
// or none are call graphs.
Status check_alike(const std::vector<Profile>& parts);

// All of them added up, at least one, as if one log had held it all: functions and stacks that are the same are one,
// threads, calls and collections stay apart. Times are since the start of the earliest. Its intro, and with it command
// and runtime, are those of the first part. The sums of the parts are those of the whole. Before apply(), and only
// where check_alike() agrees.
Profile merge(std::vector<Profile> parts);

}  // namespace oriel::profile
