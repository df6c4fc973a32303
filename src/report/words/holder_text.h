// Texts about what retains objects.
#pragma once

#include <string>
#include <vector>

#include "profile/memory/holders.h"
#include "report/words/json.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct ShownObjectHolder {
  profile::ObjectHolder figures;
  ShownPlace at;   // where own code adds to it
  std::string in;  // its field or property, "Shop.Server._stopping"; "" if the assembly is not found
};

// The significant ones by bytes, descending; positions in one source line are merged.
std::vector<ShownObjectHolder> shown_object_holders(const profile::Profile& profile, const Options& options);

// Where own code adds to it, and how to release what it retains.
std::string keeper_sentence(const ShownObjectHolder& keeper, const profile::Profile& profile);

Json keeper_json(const ShownObjectHolder& keeper, const profile::Profile& profile);

}  // namespace oriel::report
