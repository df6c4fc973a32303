// Mono's functions, found where the process has them: Oriel is built without Mono and loads without it.
#pragma once

#include <string>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

struct Functions {
#define MONO_FUNCTION(result, name, parameters) result(*name) parameters = nullptr;
#include "runtimes/mono/functions.def"
#undef MONO_FUNCTION
};

// As found by find_functions.
extern Functions api;

// Finds them all in the library or program that has the code at `address`, or anywhere in the process. Returns the name
// of the first that is missing, "" if none is. Call before anything else here.
std::string find_functions(const void* address);

// A function of Mono by its name; nullptr if there is none. After find_functions.
void* function_named(const char* name);

// Sets the profiler's callback of that name, "gc_event", where Mono has one. After find_functions. Throws
// std::bad_alloc.
template <typename Handler>
void set_callback(MonoProfilerDesc* profiler, const char* name, Handler* handler) {
  const std::string setter = std::string("mono_profiler_set_") + name + "_callback";
  if (void* const found = function_named(setter.c_str()))
    reinterpret_cast<void (*)(MonoProfilerDesc*, Handler*)>(found)(profiler, handler);
}

// Whether the calling thread may ask Mono: if Mono knows it, or it is one of Oriel's own. These are attached as tools,
// which a collection does not stop; without that Mono would end the program. A thread of the program's must not become
// one, because it may run managed code later.
bool may_ask();
// From now on nobody may: Mono shuts down.
void forbid_questions();

// A text that Mono allocated, as a string; it is freed. "" for nullptr.
std::string taken(char* text);
// A text that stays Mono's. "" for nullptr.
inline std::string copied(const char* text) { return text ? text : ""; }

}  // namespace oriel::mono
