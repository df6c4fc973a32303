// Mono's profiler API as modules that were compiled for Mono 6 know it: the names, types and values of its public
// headers (mono/metadata/profiler.h, version 3 of the API). Things of the runtime are Oriel's, behind Mono's opaque
// pointers.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"
#include "runtimes/mono/mono_types.h"

// A function of Mono's, by its name there.
#define MONO_API extern "C" ORIEL_API

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
using mono::Bool;

// The same by the names of oriel/mono_events.def. What no event brings from Oriel has no type here.
using mono_bool = Bool;
using mono_byte = void;
using MonoJitInfo = Code;
using MonoProfilerCallContext = const void;
using MonoProfilerGCEvent = mono::GcEvent;
using MonoExceptionEnum = mono::ClauseKind;
using MonoAppContext = void;
using MonoVTable = void;
enum MonoProfilerCodeBufferType : uint32_t {};
enum MonoGCHandleType : uint32_t {};
enum MonoGCRootSource : uint32_t {};

struct MonoCoverage {  // MonoProfilerCoverageData
  MonoMethod* method;
  uint32_t il_offset;
  uint32_t counter;
  const char* file_name;
  uint32_t line;
  uint32_t column;
};

}  // namespace oriel::mono_modules
