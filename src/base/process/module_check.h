// Whether a library is a module that this engine can use: the same for the engine and for `oriel run`.
#pragma once

#include <cstdint>
#include <string>

namespace oriel {

// What there is to say of a file that belongs to a profiler for Mono: it exports or calls functions mono_profiler_…. ""
// if it is none, or cannot be read. Reads the file, loads nothing. Any thread.
std::string said_of_mono(const std::string& path);

// What is wrong with a loaded library as the module `name`, with what to do: "it does not export …". "" if nothing.
// Runs the module's oriel_api_version_NAME. `path` is its file, `speaks` is this engine's API version, `version` that
// of Oriel. Any thread.
std::string wrong_with_module(void* library, const std::string& path, const std::string& name, uint32_t speaks,
                              const std::string& version);

// The same where the loader refused the library: `reason` is what dlerror said of it.
std::string wrong_with_loading(const std::string& path, const std::string& reason);

}  // namespace oriel
