// Choosing threads, for apply() and for whoever reads a log without a Profile; saying what chooses nothing.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By thread index: whether it is one of those that `wanted` means. An OS id or a whole name goes before a part of a
// name: "Worker 1" is not also "Worker 12". All if it is empty.
std::vector<bool> matching_threads(const std::string& wanted, const std::vector<Thread>& threads);

// An error, one line for a person, if a thread, a method or a time of the filter is not in the log at all, whatever the
// others choose. Before apply().
Status check_matches(const Filter& filter, const Profile& profile);
// The thread's part of that.
Status check_thread(const std::string& wanted, const std::vector<Thread>& threads);

}  // namespace oriel::profile
