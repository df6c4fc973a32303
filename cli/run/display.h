// How text is shown to who looks at a descriptor.
#pragma once

#include "report/report.h"

namespace oriel::cli {

// Colors where a terminal listens that wants some, and lines of its width. COLUMNS goes before the terminal's own, as
// it does with other tools, and tells one where there is no terminal.
report::Options display_of(int descriptor);

}  // namespace oriel::cli
