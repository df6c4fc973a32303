// Loads profiler modules that were compiled for Mono.
#pragma once

#include <string>

namespace oriel::mono_modules {

// "NAME", "NAME:args", "/path/libmono-profiler-NAME.so" or that with ":args": opens the library, which finds Mono's
// functions here, and calls its mono_profiler_init_NAME with "NAME:args", as Mono does. False if it cannot be used,
// which is said.
bool load(const std::string& description);

// What is wrong with such a library, and what to do; "" if nothing. Opens it, and calls nothing of it.
std::string wrong_with(const std::string& description);

}  // namespace oriel::mono_modules
