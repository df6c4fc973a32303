// The version of this build.
#pragma once

namespace oriel {

// For display: "1.2.3", or "1.2.3-4-g0a1b2c3" for a build four commits after that tag. Lives as long as the program.
const char* version_text();

}  // namespace oriel
