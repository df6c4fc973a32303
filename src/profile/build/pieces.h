// Merges the two methods that a compiler makes of an async method or iterator: the called one, which only creates a
// state machine, and MoveNext, which has the code and is called at each resumption. Both have the source method's name.
// Each call of MoveNext counts; the creating call does not, nor does it count as recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

struct CalledMethod {
  uint32_t function = 0;
  bool is_move_next = false;
};
CalledMethod called_method(uint64_t method, const Names& names, Functions& functions);

// `pieces`: by node, whether it is of a MoveNext. Returns the new node of each old one.
std::vector<uint32_t> merge_move_next(const std::vector<bool>& pieces, Profile& profile);

// Replaces the old nodes in `nodes` by new ones.
void renumber(const std::vector<uint32_t>& now, std::vector<uint32_t>& nodes);

}  // namespace oriel::profile
