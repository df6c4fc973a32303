// Processor of values that libraries report: counters, and completed activities.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/profile.h"

namespace oriel::profile {

class ReportedValues {
 public:
  void add_value(const Incoming& told);
  void add_activity(const Incoming& told);
  static constexpr Taking<ReportedValues> kTakes[] = {
      {oriel_event_counter_value, &ReportedValues::add_value},
      {oriel_event_activity_stopped, &ReportedValues::add_activity},
  };
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
