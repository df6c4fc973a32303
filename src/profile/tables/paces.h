// Changes of the pace of sampling, by which Oriel keeps within a budget. Samples stand for more periods at a slower
// one.
#pragma once

#include <cstdint>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct Pace {
  static constexpr uint32_t kEvent = oriel_event_sampling_paced;
  int64_t ns = 0;
  uint64_t pace = 0, used = 0, limit = 0;

  static Pace made_from(const log::Event& event) { return {0, event.values[0], event.values[1], event.values[2]}; }
  static constexpr auto described() {
    using namespace table;
    using Row = Pace;
    return describe(
        Order::kAsTold, Part::kWhole, field<Kind::kTime>("time", &Row::ns, "when"),
        field<Kind::kNumber>("pace", &Row::pace, "thousandths of the rate that was asked for, from then on"),
        field<Kind::kNumber>("used", &Row::used, "what Oriel had taken of the program's CPU time, millionths"),
        field<Kind::kNumber>("limit", &Row::limit, "what it may take"));
  }
};

}  // namespace oriel::profile
