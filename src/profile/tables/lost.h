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

}  // namespace oriel::profile
