// What holds many objects and grows with them, as far as allocations tell: collections that own code adds to, and
// events that it adds handlers to. Their storage is among what is still there when the log ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct Keeper {
  enum class Kind { kCollection, kEvent };
  Kind kind = Kind::kCollection;
  // "" of an event whose name is not known
  std::string name;    // System.Collections.Generic.Dictionary<string, Shop.Cart>; Shop.Market.PriceChanged
  uint32_t own = 0;    // who adds: the nearest of own code, index into nodes
  uint64_t bytes = 0;  // of its storage that the sampled objects stand for
  uint64_t samples = 0;
  uint64_t largest = 0;  // bytes of one of these
};

// Most bytes first.
std::vector<Keeper> keepers(const Profile& profile);
// Those that are much: with storage that has room for thousands, or in several samples and some part of all that stays.
// A single sampled object may be in use by chance.
std::vector<Keeper> weighty_keepers(const Profile& profile);

}  // namespace oriel::profile
