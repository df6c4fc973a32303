// What a program that is started by a profiled one finds in its environment, where children are profiled too.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace oriel::coreclr {

// Before the name of a variable: what it was before Oriel was put in its place.
inline constexpr const char* kTakenPrefix = "ORIEL_TAKEN_";

// `given`, as execve takes it, with Oriel (`engine`: the path of its library) as the runtime's profiler. The profiler
// that it names, if that is another, becomes the first guest, before those of `oriel run --clr-profiler`. `given`
// itself where Oriel has its place there already, where children are not to be profiled, as in an environment that the
// program made from nothing, and where `scratch` is too small. The result lies in both. Async-safe.
char* const* child_environment(char* const* given, std::string_view engine, std::span<char> scratch);

// How large `scratch` must be; 0 where the result is `given` itself. Async-safe.
size_t child_environment_size(char* const* given, std::string_view engine);

}  // namespace oriel::coreclr
