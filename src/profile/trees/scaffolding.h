// Frames that are in every stack and say nothing of the program: what starts threads, runs tasks and async methods, and
// hands from one to the next, or hands requests, services and queries of .NET's libraries to who sees to them. One
// table says which these are; whatever shows stacks to people folds them.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By node: whether it is such a frame, with others below it. Native code is one only from a thread's start to what it
// was started for. By function, `meant` are those that a person asked about, and that are none therefore; it may be
// shorter.
std::vector<bool> scaffolding(const Profile& profile, const std::vector<bool>& meant = {});

// By function: whether most of its total is in such frames.
std::vector<bool> scaffolding_functions(const Profile& profile);

// Takes such frames out of all stacks but where samples are in them themselves: what they call is then called by their
// callers. Totals of what is left stay what they are. Counts the nodes that went in Profile::folded_nodes.
void fold_scaffolding(Profile& profile, const std::vector<bool>& meant = {});

}  // namespace oriel::profile
