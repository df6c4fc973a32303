// What keeps objects, in words.
#pragma once

#include <string>
#include <vector>

#include "profile/memory/holders.h"
#include "report/words/json.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct ShownKeeper {
  profile::Keeper figures;
  ShownPlace at;   // who adds to it
  std::string in;  // the field or property that it is in, "Shop.Server._stopping"; "" without its code
};

// Those that are much, most bytes first; lines of source are one place.
std::vector<ShownKeeper> shown_keepers(const profile::Profile& profile, const Options& options);

// Who adds to it, and what it takes to let go of what it keeps.
std::string keeper_sentence(const ShownKeeper& keeper, const profile::Profile& profile);

Json keeper_json(const ShownKeeper& keeper, const profile::Profile& profile);

}  // namespace oriel::report
