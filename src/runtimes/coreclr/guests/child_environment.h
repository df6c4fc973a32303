// The environment of programs that a profiled one starts, if children are profiled too.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace oriel::coreclr {

// `given`, in execve's form, with Oriel (`engine`: the path of its library) as the runtime's profiler. If it names
// another profiler, that becomes the first guest, before those of `oriel run --clr-profiler`. Returns `given` itself if
// it names Oriel already, if children are not to be profiled (also because the program built the environment from
// nothing), or if `scratch` is too small. The result points into both. Async-safe.
char* const* child_environment(char* const* given, std::string_view engine, std::span<char> scratch);

// The size that `scratch` needs; 0 if the result is `given` itself. Async-safe.
size_t child_environment_size(char* const* given, std::string_view engine);

}  // namespace oriel::coreclr
