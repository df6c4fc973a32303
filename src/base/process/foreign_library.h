// Loads a profiler's library like CoreCLR.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel {

// Loads the library at `path`, once: its DllMain, if any, is called, and FALSE means failure. Nothing controls what the
// library does while it is loaded; an exception that it throws is an error. It stays loaded. Any thread; not
// async-safe.
Result<void*> load_foreign_library(const std::string& path);

// dlerror's `message` about the library at `path`, with what it omits: that the library is for another processor, or
// for another C library. Reads the file; any thread.
std::string load_fault(const std::string& path, const char* message);

}  // namespace oriel
