// Scaffolding: frames that say nothing of the program, because they only start threads, run tasks and async methods, or
// pass requests, services and queries of .NET's libraries to their handlers. One table lists them; everything that
// shows stacks folds them.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// By node: whether it is scaffolding with other frames below it. Native frames count only between a thread's start and
// the code it was started for. Functions in `selected` (by function index; may be shorter) were asked for, so they are
// never scaffolding.
std::vector<bool> scaffolding(const Profile& profile, const std::vector<bool>& selected = {});

// By function: whether most of its total is in scaffolding.
std::vector<bool> scaffolding_functions(const Profile& profile);

// Removes scaffolding from all stacks, except frames with samples of their own; its callees become its callers'
// callees. Totals of the remaining frames do not change. Profile::folded_nodes counts the removed nodes.
void fold_scaffolding(Profile& profile, const std::vector<bool>& selected = {});

}  // namespace oriel::profile
