// Times in which all managed threads were stopped.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/event.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct Pause {
  int64_t start_ns = 0;
  int64_t ns = 0;
  uint64_t reason = 0;  // oriel_suspend_reason
  std::string_view reason_name() const { return log::enumerator_name(log::FieldKind::kSuspendReason, reason); }

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kByTime, Part::kRows,
                    field<Kind::kTime>("start", &Pause::start_ns, "when the runtime started to stop them"),
                    field<Kind::kLength>("lasted", &Pause::ns, "until they ran again"),
                    derived<Kind::kWord>(
                        "reason", [](const Pause& row) { return row.reason_name(); }, "why they were stopped"));
  }
};

}  // namespace oriel::profile
