// Display options for a file descriptor.
#pragma once

#include "report/report.h"

namespace oriel::cli {

// Colors if it is a terminal that supports them, and the terminal's width. COLUMNS overrides the width, and gives one
// without a terminal.
report::Options display_of(int descriptor);

}  // namespace oriel::cli
