// Whether this engine can use a library as a module: the same check for the engine and for `oriel run`.
#pragma once

#include <cstdint>
#include <string>

namespace oriel {

// A message if the file belongs to a profiler for Mono, that is, exports or calls functions mono_profiler_…. "" if not,
// or if it cannot be read. Reads the file, loads nothing. Any thread.
std::string said_of_mono(const std::string& path);

// What is wrong with a loaded library as the module `name`, and what to do: "it does not export …". "" if nothing.
// Calls the module's oriel_api_version_NAME. `path` is its file, `speaks` this engine's API version, `version` that of
// Oriel. Any thread.
std::string wrong_with_module(void* library, const std::string& path, const std::string& name, uint32_t speaks,
                              const std::string& version);

// The undefined symbol in dlerror's message, "" if it has none. Any thread.
std::string missing_symbol(const std::string& reason);

// Likewise if the loader refused the library; `reason` is dlerror's message.
std::string wrong_with_loading(const std::string& path, const std::string& reason);

}  // namespace oriel
