// What each thread did in collections, where threads collect their own memory.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct GcPart {
  int64_t start_ns = 0;
  int64_t ns = 0;
  uint32_t thread = 0;
  uint64_t number = 0;
  bool responsible = false;
  uint64_t kept = 0;
  uint64_t promoted = 0;
  uint64_t freed = 0;
  uint64_t roots = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = GcPart;
    return describe(Order::kByTime, Part::kRows, field<Kind::kTime>("start", &Row::start_ns, "when it began"),
                    field<Kind::kLength>("lasted", &Row::ns, "how long it took"),
                    field<Kind::kThread>("thread", &Row::thread, "which thread's it is"),
                    field<Kind::kNumber>("number", &Row::number, "the runtime's number of the collection"),
                    field<Kind::kFlag>("responsible", &Row::responsible, "this thread led the others"),
                    field<Kind::kBytes>("kept", &Row::kept, "of its young objects that stayed young"),
                    field<Kind::kBytes>("promoted", &Row::promoted, "of those that became old"),
                    field<Kind::kBytes>("freed", &Row::freed, "of its young objects that were freed"),
                    field<Kind::kCount>("roots", &Row::roots, "old objects that refer to its young ones"));
  }
};

}  // namespace oriel::profile
