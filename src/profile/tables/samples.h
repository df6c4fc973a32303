// Samples of threads: of those that ran, and of those that waited.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct Sample {
  int64_t ns = 0;
  uint32_t thread = 0;
  uint32_t node = 0;
  uint64_t periods = 1;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows, field<Kind::kTime>("at", &Sample::ns, "when it was taken"),
                    field<Kind::kThread>("thread", &Sample::thread, "whose stack it is"),
                    field<Kind::kNode>("stack", &Sample::node, "the stack"),
                    field<Kind::kCount>("periods", &Sample::periods, "how many sampling periods it stands for"));
  }
};

}  // namespace oriel::profile
