// Since when sampled objects were followed, and how many were sampled since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profile/table/add_up.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct Following {
  int64_t from_ns = -1;
  uint64_t samples = 0;
  uint64_t bytes = 0;
  uint32_t process = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = Following;
    return describe(Order::kAsTold, Part::kWhole,
                    field<Kind::kTime>("from", &Row::from_ns, "since when objects were followed"),
                    field<Kind::kCount>("samples", &Row::samples, "how many were sampled since"),
                    field<Kind::kBytes>("bytes", &Row::bytes, "what these stand for"),
                    field<Kind::kProcess>("process", &Row::process, "whose objects they are"));
  }
};

// Of all logs; from -1 if nothing was followed.
inline Following sum_of_following(const std::vector<Following>& rows) {
  Following sum = table::sum_of(rows);
  for (const Following& row : rows) sum.from_ns = std::min(sum.from_ns, row.from_ns);
  return sum;
}

}  // namespace oriel::profile
