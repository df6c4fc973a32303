// Bounds for formats that write each stack in full: a few bytes of a log can make stacks deep.
#pragma once

#include <string_view>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/trees/weight.h"

namespace oriel::cli {

// Folds recursion deeper than sampled stacks can be, and says so: a recursion of a million frames would be written a
// million times.
profile::Recursion bearable_recursion(const profile::Profile& profile);

// An error if the stacks have too many frames altogether. `format` names what writes them, `instead` what to do.
Status bearable_length(std::string_view format, std::string_view instead, const profile::Profile& profile);

}  // namespace oriel::cli
