// Processor of values that libraries report: counters, and completed activities.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "log/event.h"
#include "profile/build/clock_map.h"
#include "profile/profile.h"

namespace oriel::profile {

class ToldValues {
 public:
  // Returns whether the event was one of these. `thread` is an index into the profile's threads.
  bool add(uint32_t thread, const log::Event& event);
  void finish(const ClockMap& clock, Profile& profile);

 private:
  void add(uint64_t counter, Activity activity);

  struct Reading {
    uint64_t counter;
    double value;
  };
  struct Series {
    bool is_total = false;
    std::vector<Reading> readings;
  };
  struct Stopped {
    uint64_t counter;
    Activity activity;
  };
  std::map<std::string, Series> series_;  // by the event's text
  std::vector<Stopped> stopped_;
  std::unordered_map<std::string, size_t> of_id_;  // activity id → index into stopped_
};

}  // namespace oriel::profile
