// How many threads the pool wants.
#pragma once

#include <cstdint>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct PoolChange {
  int64_t ns = 0;
  uint32_t threads = 0;
  uint64_t reason = 0;  // oriel_pool_reason
  uint32_t process = 0;

  static constexpr uint32_t kEvent = oriel_event_pool_adjusted;
  static PoolChange made_from(const log::Event& event) {
    return {.threads = static_cast<uint32_t>(event.values[0]), .reason = event.values[1]};
  }
  std::string_view reason_name() const { return log::enumerator_name(log::FieldKind::kPoolReason, reason); }

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kByTime, Part::kRows, field<Kind::kTime>("at", &PoolChange::ns, "when it happened"),
                    field<Kind::kCount>("threads", &PoolChange::threads, "the target number of threads from then on"),
                    derived<Kind::kWord>(
                        "reason", [](const PoolChange& row) { return row.reason_name(); }, "why it changed"),
                    field<Kind::kProcess>("process", &PoolChange::process, "whose pool it is"));
  }
};

}  // namespace oriel::profile
