// Groups activities into trees: requests, and what was done for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Activities of one source and name whose parents are in one group.
struct ActivityGroup {
  std::string source;
  std::string name;
  std::vector<uint32_t> activities;  // indices into Profile::activities
  uint64_t failed = 0;
  int64_t ns = 0;
  int64_t longest_ns = 0;
  int64_t parts_ns = 0;               // of ns, covered by child activities
  std::vector<ActivityGroup> groups;  // child activities, by time, descending
};

// Activities without a logged parent, by source and name; by time, descending.
std::vector<ActivityGroup> requests(const Profile& profile);
// The longest of these, each in a group of its own.
std::vector<ActivityGroup> slowest_requests(const Profile& profile, size_t most);

// Quantile of a group's durations in nanoseconds; `part` is 0 to 1.
int64_t quantile(const ActivityGroup& group, const Profile& profile, double part);

// The value of an activity's tag; "" if it has none.
std::string tag(const Activity& activity, const char* name);
// The activity's name, with method and route for requests: "GET /orders/{id}".
std::string name_of(const Activity& activity);

}  // namespace oriel::profile
