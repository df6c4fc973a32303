// Adds up figures of calls.
#pragma once

#include <algorithm>

#include "profile/profile.h"

namespace oriel::profile {

// Adds all but the thread: `to` keeps its own.
inline void add_figures(const CallFigures& from, CallFigures& to) {
  to.calls += from.calls;
  to.by_exception += from.by_exception;
  to.running += from.running;
  to.self_ns += from.self_ns;
  to.measured_ns += from.measured_ns;
  to.taken_ns += from.taken_ns;
  to.waited_ns += from.waited_ns;
  to.longest_ns = std::max(to.longest_ns, from.longest_ns);
  to.measured_longest_ns = std::max(to.measured_longest_ns, from.measured_longest_ns);
}

}  // namespace oriel::profile
