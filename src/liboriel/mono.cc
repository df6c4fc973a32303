// The function by which Mono loads a profiler of the name "oriel", from libmono-profiler-oriel.so, which is a link to
// this library.
#include "oriel/oriel.h"
#include "runtimes/mono/profile_option.h"

extern "C" ORIEL_API void mono_profiler_init_oriel(const char* description) {
  oriel::mono::begin_by_option(description, __builtin_return_address(0));
}
