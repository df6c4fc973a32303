// Loads a profiler's library as CoreCLR would.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel {

// The library at `path`, once: the runtime calls a DllMain that it has, and takes a FALSE for no. What the library does
// meanwhile is its own affair; what it throws is an error. It stays loaded. Any thread; not async-safe.
Result<void*> load_foreign_library(const std::string& path);

// dlerror's `message` of the library at `path`, with what it leaves unsaid: that the library is for another processor,
// or for another C library. Reads the file; any thread.
std::string load_fault(const std::string& path, const char* message);

}  // namespace oriel
