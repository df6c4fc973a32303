// What a log lacks.
#pragma once

#include <cstdint>
#include <string>

#include "profile/table/field.h"

namespace oriel::profile {

struct Lost {
  std::string reason;
  uint64_t count = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kWhole,
                    field<Kind::kText>("reason", &Lost::reason, "why, by a name of oriel/lost.def"),
                    field<Kind::kCount>("count", &Lost::count, "how many samples or events"))
        .added_up();
  }
};

struct LostOfThread {
  uint32_t thread = 0;
  uint64_t samples = 0;
  uint64_t events = 0;
  uint64_t calls = 0;
  uint64_t allocations = 0;

  uint64_t all() const { return samples + events + calls + allocations; }
  static constexpr auto described() {
    using namespace table;
    using Row = LostOfThread;
    return describe(Order::kAsTold, Part::kRows, field<Kind::kThread>("thread", &Row::thread, "which thread lost it"),
                    field<Kind::kCount>("samples", &Row::samples, "lost samples"),
                    field<Kind::kCount>("events", &Row::events, "lost events, but for those of calls and allocations"),
                    field<Kind::kCount>("calls", &Row::calls, "lost enters and leaves of methods"),
                    field<Kind::kCount>("allocations", &Row::allocations, "lost allocations"));
  }
};

}  // namespace oriel::profile
