// What groups of objects retain: an object below another one of its group adds nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "heap/dominators.h"

namespace oriel::heap {

// By group. `group_of(number)` is the group of an object by its number in the tree, or `groups` for none. Goes down the
// tree and up again, and knows of each group how many of it are above.
template <typename GroupOf>
std::vector<uint64_t> retained_by_groups(const Dominators& tree, size_t groups, GroupOf group_of) {
  std::vector<uint64_t> retained(groups, 0);
  std::vector<uint32_t> above(groups, 0);
  const auto enter = [&](uint32_t number) {
    if (!tree.is_object(number)) return;
    const size_t group = group_of(number);
    if (group != groups && above[group]++ == 0) retained[group] += tree.retained[number];
  };
  const auto leave = [&](uint32_t number) {
    if (!tree.is_object(number)) return;
    const size_t group = group_of(number);
    if (group != groups) --above[group];
  };
  for (uint32_t at = tree.first_child[0]; at != 0;) {
    enter(at);
    if (tree.first_child[at] != 0) {
      at = tree.first_child[at];
      continue;
    }
    leave(at);
    while (at != 0 && tree.next_child[at] == 0) {
      at = tree.dominators[at];
      leave(at);
    }
    if (at != 0) at = tree.next_child[at];
  }
  return retained;
}

}  // namespace oriel::heap
