// The page's groups: the categories of the summary's shares, numbered.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/work/category.h"

namespace oriel::exports {

class Groups {
 public:
  // Groups of a profile's samples and nodes, from profile::purposes.
  struct Of {
    std::vector<uint32_t> sample;
    std::vector<uint32_t> node;
  };
  Of of(const profile::Profile& profile);

  // Of a type: whose code it is.
  uint32_t of_type(const profile::Function& type, const profile::Profile& profile);
  // A group that is no category.
  uint32_t named(const char* key, const std::string& name);

  // For unknown purposes, such as an unreadable stack.
  uint32_t unknown() { return number({profile::Category::kUnknown, "", 0}); }

  // By group: key of the category, name as in the summary.
  const std::vector<std::pair<const char*, std::string>>& all() const { return all_; }
  nlohmann::json json() const;

 private:
  uint32_t number(const profile::Share& share);

  std::map<std::string, uint32_t> numbers_;  // by name
  std::vector<std::pair<const char*, std::string>> all_;
};

}  // namespace oriel::exports
