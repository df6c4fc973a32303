// The version of this build.
#pragma once

namespace oriel {

// For display: "1.2.3", or "1.2.3-4-g0a1b2c3" for a build four commits after that tag. Lives as long as the program.
const char* version_text();

// What it runs on: "linux-x64, glibc 2.36 or later" or "linux-musl-x64".
const char* built_for_text();

}  // namespace oriel
