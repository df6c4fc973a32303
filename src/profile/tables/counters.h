// The profiler's own counters, as it last told them.
#pragma once

#include <cstdint>
#include <string>

#include "log/properties.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct Counter {
  std::string name;
  uint64_t count = 0;

  // Of the machine, or of the control group that all processes are in: each of them counts the same.
  bool is_shared() const {
    return name == log::counter::kCpuPeriods || name == log::counter::kCpuThrottled ||
           name == log::counter::kCpuThrottledNs || name == log::counter::kCpuStolenNs;
  }

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kWhole,
                    field<Kind::kText>("name", &Counter::name, "by a name of log/properties.def"),
                    field<Kind::kCount>("count", &Counter::count, "the last value"))
        .added_up();
  }
};

}  // namespace oriel::profile
