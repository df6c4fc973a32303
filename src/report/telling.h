// Which methods a short list by total time can do without. Of a way on which all time passes from one method to the
// next few are worth a line: the first of the program's own, what own code asks .NET for, and where managed code ends.
#pragma once

#include <vector>

#include "profile/call_tree.h"

namespace oriel::report {

// By function index: whether a list by total is to have the method. `all` are all of the profile's functions.
std::vector<bool> telling_functions(const std::vector<profile::FunctionTotals>& all, const profile::Profile& profile);

}  // namespace oriel::report
