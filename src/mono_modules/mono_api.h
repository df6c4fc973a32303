// Mono's profiler API as modules that were compiled for Mono 6 know it: the names, types and values of its public
// headers (mono/metadata/profiler.h, version 3 of the API). Things of the runtime are Oriel's, behind Mono's opaque
// pointers.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::mono_modules {

struct MonoProfiler;  // the module's own state
struct Profiler;      // what a MonoProfilerHandle leads to
struct Code;          // a MonoJitInfo

using MonoDomain = oriel_domain;
using MonoAssembly = oriel_assembly;
using MonoImage = oriel_image;
using MonoClass = oriel_class;
using MonoMethod = oriel_method;
using MonoObject = oriel_object;
using Bool = int32_t;

// MONO_PROFILER_CALL_INSTRUMENTATION_*.
inline constexpr uint32_t kCallsEnter = 1 << 1, kCallsEnterContext = 1 << 2, kCallsLeave = 1 << 3,
                          kCallsLeaveContext = 1 << 4, kCallsTailCall = 1 << 5, kCallsExceptionLeave = 1 << 6;

struct MonoCoverage {  // MonoProfilerCoverageData
  MonoMethod* method;
  uint32_t il_offset;
  uint32_t counter;
  const char* file_name;
  uint32_t line;
  uint32_t column;
};

}  // namespace oriel::mono_modules
