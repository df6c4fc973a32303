// Choosing threads, for apply() and for whoever reads a log without a Profile.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By thread index: whether it is one of those that `wanted` means. An OS id or a whole name goes before a part of a
// name: "Worker 1" is not also "Worker 12". All if it is empty.
std::vector<bool> matching_threads(const std::string& wanted, const std::vector<Thread>& threads);

}  // namespace oriel::profile
