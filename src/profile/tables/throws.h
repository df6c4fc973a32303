// Exceptions one by one: when each was thrown.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct Throw {
  int64_t ns = 0;
  uint32_t thread = 0;
  uint32_t type = 0;
  uint32_t node = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kByTime, Part::kRows, field<Kind::kTime>("at", &Throw::ns, "when it was thrown"),
                    field<Kind::kThread>("thread", &Throw::thread, "the thread that threw it"),
                    field<Kind::kType>("type", &Throw::type, "its type"),
                    field<Kind::kNode>("stack", &Throw::node, "where it was thrown, if the log tells"));
  }
};

}  // namespace oriel::profile
