// What holds many objects and grows with them, as far as allocations tell: collections that own code adds to, events
// that it adds handlers to, and what else it registers with something that lives long. Their storage is among what is
// still there when the log ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct Keeper {
  enum class Kind {
    kCollection,
    kEvent,    // or any other delegate
    kToken,    // registrations with a CancellationToken
    kTimer,    // until it is disposed
    kDelay,    // Task.Delay, until it is over
    kWeakMap,  // values of a ConditionalWeakTable, as long as their keys
    kContext,  // values of AsyncLocal, in a context that goes on
  };
  Kind kind = Kind::kCollection;
  // Of a collection its type, of an event its name: System.Collections.Generic.Dictionary<string, Shop.Cart>;
  // Shop.Market.PriceChanged. "" where it is not known, and of what needs none
  std::string name;
  uint32_t own = 0;    // who adds: the nearest of own code, index into nodes
  uint64_t bytes = 0;  // of its storage that the sampled objects stand for
  uint64_t samples = 0;
  uint64_t largest = 0;  // bytes of one of these
};

// Whether a call of such a method is one that adds to a keeper: `type` as it is called in code.
bool adds_to(const Keeper& keeper, std::string_view type, std::string_view member);

// Most bytes first.
std::vector<Keeper> keepers(const Profile& profile);
// Those that are much: with storage that has room for thousands, or in several samples and some part of all that stays.
// A single sampled object may be in use by chance.
std::vector<Keeper> weighty_keepers(const Profile& profile);

}  // namespace oriel::profile
