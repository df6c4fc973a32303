// Libraries that are loaded already.
#pragma once

namespace oriel {

// A handle of the loaded library whose file has this name, to be closed (dlclose); nullptr if there is none. By its
// path, as musl knows a library that was loaded by its path by nothing else. Any thread; may lock, not async-safe.
void* loaded_library(const char* file_name);

}  // namespace oriel
