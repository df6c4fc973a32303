// Activities as what they are parts of: requests, and what was done for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Activities of one name and source that are parts of the same ones.
struct ActivityGroup {
  std::string source;
  std::string name;
  std::vector<uint32_t> activities;  // indices into Profile::activities
  uint64_t failed = 0;
  int64_t ns = 0;
  int64_t longest_ns = 0;
  int64_t parts_ns = 0;               // of it, in parts
  std::vector<ActivityGroup> groups;  // its parts, most time first
};

// What is no part of another that the log has, by source and name; most time first.
std::vector<ActivityGroup> requests(const Profile& profile);
// The longest of these, each alone.
std::vector<ActivityGroup> slowest_requests(const Profile& profile, size_t most);

// So long the given part of a group's activities, 0 to 1, took at most. Nanoseconds.
int64_t quantile(const ActivityGroup& group, const Profile& profile, double part);

// The value of an activity's tag, "" if it has none.
std::string tag(const Activity& activity, const char* name);
// "GET /orders/{id}" of a request whose name does not say.
std::string name_of(const Activity& activity);

}  // namespace oriel::profile
