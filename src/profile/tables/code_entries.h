// Which code logged calls ran, where the log tells: that of an interpreter, specialized or compiled.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

// Of the calls of one method on one way from a thread's start. Calls that are neither specialized nor compiled ran code
// as it was written.
struct CodeEntries {
  uint32_t thread = 0;
  uint32_t node = 0;
  uint64_t calls = 0;
  uint64_t specialized = 0;
  uint64_t compiled = 0;
  uint64_t inlined = 0;
  uint64_t replaced = 0;
  uint64_t deoptimized = 0;
  uint64_t deoptimized_all = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = CodeEntries;
    return describe(
        Order::kAsTold, Part::kRows, field<Kind::kThread>("thread", &Row::thread, "on which the calls were"),
        field<Kind::kCallNode>("call", &Row::node, "the method that was called, and the row of its caller"),
        field<Kind::kCount>("calls", &Row::calls, "how many there were"),
        field<Kind::kCount>("specialized", &Row::specialized, "entered specialized code, which is interpreted"),
        field<Kind::kCount>("compiled", &Row::compiled, "entered compiled code"),
        field<Kind::kCount>("inlined", &Row::inlined, "of both, were part of their caller's code"),
        field<Kind::kCount>("replaced", &Row::replaced,
                            "times that such code took over in a running call (OSR), which also counts as an entry"),
        field<Kind::kCount>("deoptimized", &Row::deoptimized, "times that a call went back to the interpreter"),
        field<Kind::kCount>("deoptimized_all", &Row::deoptimized_all, "times that it did so with all of its callers"));
  }
};

}  // namespace oriel::profile
