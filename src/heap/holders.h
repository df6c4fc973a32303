// What holds most objects of a type.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heap/dominators.h"

namespace oriel::heap {

// By index into a snapshot's types: whether it is one of those asked about. Several may have one name.
using ChosenTypes = std::vector<bool>;

// The way down the tree of dominators on which most bytes of the reachable objects lie: a group of roots, then objects
// to the last one that still dominates most of them. Without that object, these would be free.
struct Holder {
  struct Share {
    uint32_t number = 0;
    uint64_t bytes = 0;  // of them
  };
  std::vector<uint32_t> chain;  // numbers in the tree of dominators; empty if nothing holds most of them
  uint32_t next = 0;            // the number of one of them right below the last of the chain; 0: none is
  uint64_t bytes = 0;           // of them, below the last of the chain
  uint64_t all = 0;             // bytes of them that are reachable
  std::vector<Share> shares;    // if nothing holds most of them: what holds notable parts, the largest first
};
Holder main_holder(const Graph& graph, const Dominators& dominators, const ChosenTypes& types);
// Likewise of some objects.
Holder main_holder(const Graph& graph, const Dominators& dominators, std::span<const uint32_t> objects);

// The place in the object by which it refers to another one: the first; false if it does not.
bool find_place(const Graph& graph, uint32_t object, uint32_t target, uint8_t& place);

}  // namespace oriel::heap
