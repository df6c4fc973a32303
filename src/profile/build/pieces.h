// Calls of async methods and iterators, of which a compiler makes two methods: one that a person calls, which only
// makes a state machine, and the machine's MoveNext, which has the code and is called each time that it goes on. Both
// have the name that was written. What goes on counts as a call: the one that makes the machine is none beside it, and
// no method of that name calls itself.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

struct CalledMethod {
  uint32_t function = 0;
  bool is_piece = false;
};
CalledMethod called_method(uint64_t method, const Names& names, Functions& functions);

// `pieces`: by node, whether it is of a MoveNext. Returns the new node of each old one.
std::vector<uint32_t> join_pieces(const std::vector<bool>& pieces, CallLog& calls);

// Makes of each old node in `nodes` its new one.
void renumber(const std::vector<uint32_t>& now, std::vector<uint32_t>& nodes);

}  // namespace oriel::profile
