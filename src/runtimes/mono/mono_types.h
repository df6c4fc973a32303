// Mono's types and constants, as its public headers have them: opaque structs, and the values of its profiler API.
#pragma once

#include <cstdint>

struct MonoArray;
struct MonoAssembly;
struct MonoAssemblyName;
struct MonoClass;
struct MonoClassField;
struct MonoDomain;
struct MonoGenericContext;
struct MonoImage;
struct MonoJitInfo;
struct MonoMethod;
struct MonoMethodSignature;
struct MonoObject;
struct MonoProfiler;
struct MonoProfilerCallContext;
struct MonoProfilerDesc;
struct MonoString;
struct MonoTableInfo;
struct MonoType;
struct MonoVTable;

namespace oriel::mono {

// mono_bool
using Bool = int32_t;

// MonoProfilerGCEvent
enum GcEvent : uint32_t {
  kGcStart = 0,
  kGcEnd = 5,
  kGcPreStopWorld = 6,
  kGcPostStopWorld = 7,
  kGcPreStartWorld = 8,
  kGcPostStartWorld = 9,
};

// MonoGCRootSource
enum class RootSource : uint32_t {
  kExternal,
  kStack,
  kFinalizerQueue,
  kStatic,
  kThreadStatic,
  kContextStatic,
  kHandle,
  kJit,
  kThreading,
  kDomain,
  kReflection,
  kMarshal,
  kThreadPool,
  kDebugger,
  kHandleStack,
  kEphemeron,
  kToggleRef,
};

// MonoGCReferences: an object and some of its references; the size is 0 after the first call for it.
using HeapVisitor = int (*)(MonoObject* object, MonoClass* klass, uintptr_t size, uintptr_t count,
                            MonoObject** references, uintptr_t* offsets, void* data);

// MonoExceptionEnum
enum ClauseKind : uint32_t { kClauseCatch = 0, kClauseFilter = 1, kClauseFinally = 2, kClauseFault = 4 };

// Returns MonoProfilerCallInstrumentationFlags: those of ORIEL_CALLS_ALL have the same values.
using CallFilter = uint32_t (*)(MonoProfiler*, MonoMethod*);

// MonoProfilerCoverageData, and the callbacks about it.
struct CoverageData {
  MonoMethod* method;
  uint32_t il_offset;
  uint32_t counter;
  const char* file_name;
  uint32_t line;
  uint32_t column;
};
using CoverageFilter = Bool (*)(MonoProfiler*, MonoMethod*);
using CoverageCallback = void (*)(MonoProfiler*, const CoverageData*);

}  // namespace oriel::mono
