// What the page's frames and samples are for: the groups of the summary's shares, by number.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/work/category.h"

namespace oriel::exporting {

class Groups {
 public:
  // The groups of a profile's samples and nodes, as profile::purposes has them.
  struct Of {
    std::vector<uint32_t> sample;
    std::vector<uint32_t> node;
  };
  Of of(const profile::Profile& profile);

  // What is not known to be for anything, as a stack that could not be read.
  uint32_t unknown() { return number({profile::Category::kUnknown, "", 0}); }

  // [key of the category, name as the summary has it] of each.
  nlohmann::json json() const;

 private:
  uint32_t number(const profile::Share& share);

  std::map<std::string, uint32_t> numbers_;  // by name
  std::vector<std::pair<const char*, std::string>> all_;
};

}  // namespace oriel::exporting
