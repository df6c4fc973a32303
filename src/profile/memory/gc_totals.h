// What collections add up to.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Sums over the collections of a profile.
struct GcTotals {
  struct Generation {
    uint64_t count = 0;
    uint64_t induced = 0;
    int64_t pause_ns = 0;
    int64_t longest_ns = 0;
    GcPhaseTimes phases = {};
  };
  uint64_t count = 0;
  uint64_t induced = 0;
  int64_t pause_ns = 0;
  int64_t induced_pause_ns = 0;  // of it
  int64_t longest_ns = 0;
  int64_t longest_at_ns = 0;  // when the collection with the longest pause began
  GcPhaseTimes phases = {};
  std::map<uint32_t, Generation> by_generation;
};

GcTotals gc_totals(const Profile& profile);

// By collection, as in the profile: the threads' parts in it. Several logs may number their collections alike, so a
// part has to have begun in the collection too.
std::vector<std::vector<const GcPart*>> gc_parts_by_collection(const Profile& profile);

}  // namespace oriel::profile
