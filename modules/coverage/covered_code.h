// What the engine tells of the code that ran, as a block of the log.
#pragma once

#include "log/format.h"
#include "module/method_set.h"
#include "oriel/oriel.h"

namespace oriel::covering {

// Of the methods of the set that have counters, since the profiler's last reset; or, in its callback, until then. May
// throw std::bad_alloc.
log::Coverage covered_code(oriel_profiler_handle handle, const modules::MethodSet& methods);
// The same without what did not run.
log::Coverage code_that_ran(oriel_profiler_handle handle, const modules::MethodSet& methods);

}  // namespace oriel::covering
