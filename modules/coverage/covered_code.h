// The engine's coverage data as a block of the log.
#pragma once

#include "log/format.h"
#include "modules/method_filter.h"
#include "oriel/oriel.h"

namespace oriel::coverage_module {

// For methods of the set with counters, since the profiler's last reset; or, in the reset's callback, until then. May
// throw std::bad_alloc.
log::Coverage covered_code(oriel_profiler_handle handle, const modules::ChosenMethods& methods);
// The same without what did not run.
log::Coverage code_that_ran(oriel_profiler_handle handle, const modules::ChosenMethods& methods);

}  // namespace oriel::coverage_module
