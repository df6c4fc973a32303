// Times in which async methods waited.
#pragma once

#include <cstdint>

#include "profile/table/field.h"
#include "profile/tables/async_calls.h"

namespace oriel::profile {

struct AsyncWait {
  int64_t start_ns = 0;
  int64_t end_ns = -1;
  uint32_t call = 0;
  uint32_t node = 0;
  bool of_call = false;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows,
                    field<Kind::kTime>("start", &AsyncWait::start_ns, "when the wait began"),
                    field<Kind::kEnd>("end", &AsyncWait::end_ns, "when the method resumed"),
                    row_of<AsyncCall>("call", &AsyncWait::call, "the call that waited"),
                    field<Kind::kNode>("stack", &AsyncWait::node, "where it waits, below the methods that await it"),
                    field<Kind::kFlag>("of_call", &AsyncWait::of_call, "what it awaits is a call of an async method"));
  }
};

}  // namespace oriel::profile
