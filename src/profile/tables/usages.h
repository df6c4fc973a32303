// What a process had used when.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct Usage {
  int64_t ns = 0;
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  uint64_t max_rss = 0;
  uint32_t process = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows, field<Kind::kTime>("at", &Usage::ns, "when it was so"),
                    field<Kind::kDuration>("user", &Usage::user_ns, "processor time of its code since it began"),
                    field<Kind::kDuration>("system", &Usage::system_ns, "of the system's for it"),
                    field<Kind::kBytes>("max_resident", &Usage::max_rss, "the most memory that it had"),
                    field<Kind::kProcess>("process", &Usage::process, "whose use it is"));
  }
};

}  // namespace oriel::profile
