// Attaches the engine to a program, watches it, and ends it.
#pragma once

#include "live/attach_plan.h"

namespace oriel::cli {

// Says on stderr what happens and where the log is. Returns when the log is complete and the runtime has let go of the
// engine, or the program has ended. The result is an exit code.
int watch(AttachPlan& plan);

}  // namespace oriel::cli
