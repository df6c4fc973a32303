// Logged calls, by the way on which they were reached.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

// The calls of one method on one way from a thread's start. The row of a number is that of the node of this number in
// Profile::call_nodes.
struct CallFigures {
  uint32_t thread = 0;
  uint32_t node = 0;
  uint64_t calls = 0;
  uint64_t by_exception = 0;        // of these, left by an exception
  uint64_t running = 0;             // of these, not left when the log ends
  int64_t self_ns = 0;              // in the method, outside of what it calls, without what probes took (probe_costs.h)
  int64_t measured_ns = 0;          // the same with it
  int64_t taken_ns = 0;             // of measured_ns, what logging told that it took
  int64_t waited_ns = 0;            // of self_ns, without a processor; what is shorter than 25 us is not seen
  int64_t longest_ns = 0;           // one call, with what it called; likewise without what probes took
  int64_t measured_longest_ns = 0;  // with it, but for what logging told

  static constexpr auto described() {
    using namespace table;
    using Row = CallFigures;
    return describe(
        Order::kByCallNode, Part::kEmptied, field<Kind::kThread>("thread", &Row::thread, "on which the calls were"),
        field<Kind::kCallNode>("call", &Row::node, "the method that was called, and the row of its caller"),
        field<Kind::kCount>("calls", &Row::calls, "how many there were"),
        field<Kind::kCount>("by_exception", &Row::by_exception, "of these, left by an exception"),
        field<Kind::kCount>("running", &Row::running, "of these, not left when the log ends"),
        field<Kind::kDuration>("self", &Row::self_ns,
                               "in the method, outside of what it calls, without what probes took"),
        field<Kind::kDuration>("measured", &Row::measured_ns, "the same with it"),
        field<Kind::kDuration>("taken", &Row::taken_ns, "of what was measured, what logging told that it took"),
        field<Kind::kDuration>("waited", &Row::waited_ns, "of self, without a processor"),
        field<Kind::kDuration>("longest", &Row::longest_ns, "one call, with what it called, without what probes took"),
        field<Kind::kDuration>("measured_longest", &Row::measured_longest_ns, "with it, but for what logging told"));
  }
};

}  // namespace oriel::profile
