// Parts of the heap.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct GcHeap {
  uint32_t number = 0;
  uint32_t process = 0;
  uint64_t marked = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kSums, field<Kind::kNumber>("number", &GcHeap::number, "number of the heap"),
                    field<Kind::kProcess>("process", &GcHeap::process, "the process of the heap"),
                    field<Kind::kBytes>("marked", &GcHeap::marked,
                                        "bytes found alive, over all collections for which this is known"));
  }
};

}  // namespace oriel::profile
