// Allocated objects.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

// Objects of one class that one method's code allocated, on one way from a thread's start.
struct Allocations {
  uint32_t thread = 0;
  uint32_t node = 0;  // the stack if it was logged, else the open call; 0 if there was none
  uint32_t type = 0;
  uint32_t site = 0;  // 0: not known
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = Allocations;
    return describe(
        Order::kAsTold, Part::kRows, field<Kind::kThread>("thread", &Row::thread, "which allocated them"),
        field<Kind::kCallNode>("call", &Row::node, "the open call, or the stack's innermost function if it was logged"),
        field<Kind::kType>("type", &Row::type, "their class").choosing(true),
        field<Kind::kFunction>("site", &Row::site, "whose code allocated them"),
        field<Kind::kCount>("objects", &Row::objects, "how many"), field<Kind::kBytes>("bytes", &Row::bytes, "in all"),
        field<Kind::kCount>("samples", &Row::samples, "from which both are estimated; 0: each object was logged"));
  }
};

}  // namespace oriel::profile
