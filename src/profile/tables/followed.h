// Sampled objects that stayed.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct FollowedObject {
  int64_t ns = 0;
  uint32_t full = 0;
  uint32_t thread = 0;
  uint32_t type = 0;
  uint32_t node = 0;
  uint64_t bytes = 0;
  double objects = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows,
                    field<Kind::kTime>("allocated", &FollowedObject::ns, "when it was allocated"),
                    field<Kind::kCount>("full", &FollowedObject::full, "full collections that it survived"),
                    field<Kind::kThread>("thread", &FollowedObject::thread, "which thread allocated it"),
                    field<Kind::kType>("type", &FollowedObject::type, "its type").choosing(true),
                    field<Kind::kNode>("stack", &FollowedObject::node, "the stack that it was allocated on"),
                    field<Kind::kBytes>("bytes", &FollowedObject::bytes, "bytes that it stands for"),
                    field<Kind::kCount>("objects", &FollowedObject::objects, "how many objects it stands for"));
  }
};

}  // namespace oriel::profile
