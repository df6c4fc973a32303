// Waits for locks.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct LockWait {
  static constexpr uint32_t kNobody = table::kNone;
  int64_t end_ns = 0;
  int64_t ns = 0;
  uint64_t lock = 0;  // different for locks of one process that are waited for at the time
  uint32_t thread = 0;
  uint32_t owner = kNobody;
  uint32_t type = 0;
  uint32_t node = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(
        Order::kAsTold, Part::kRows, field<Kind::kEnd>("end", &LockWait::end_ns, "when the thread ran again"),
        field<Kind::kLength>("waited", &LockWait::ns, "how long it waited"),
        field<Kind::kThread>("thread", &LockWait::thread, "the thread that waited"),
        field<Kind::kThread>("owner", &LockWait::owner, "the owner of the lock when the wait began").choosing(false),
        field<Kind::kType>("type", &LockWait::type, "type of the locked object"),
        field<Kind::kNumber>("lock", &LockWait::lock,
                             "distinguishes locks of one process that are waited for at the same time"),
        field<Kind::kNode>("stack", &LockWait::node, "where it waited"));
  }
};

}  // namespace oriel::profile
