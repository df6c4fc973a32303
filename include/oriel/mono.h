/* Mono's profiler API for modules that run on Mono and on CoreCLR.
 *
 * A module that was written for Mono's mono/metadata/profiler.h compiles with this header in place of Mono's: it has
 * the same names, types and values, version 3 of that API as in Mono 6, and what such modules use of Mono's metadata.
 * The module stays what it is for Mono, a shared library libmono-profiler-NAME.so that exports
 *
 *     MONO_API void mono_profiler_init_NAME(const char *description);
 *
 * It is linked with no library of Mono's or Oriel's, and the same file runs
 *
 *     mono --profile=NAME[:ARGS] App.exe                                               on Mono, without Oriel
 *     oriel run --module ./libmono-profiler-NAME.so[:ARGS] -- dotnet App.dll           on CoreCLR
 *
 * The description is "NAME" or "NAME:ARGS", valid only during the call. mono_profiler_init_NAME runs once, before
 * managed code does; it makes a profiler and sets its callbacks.
 *
 * Each function says whether it is async-safe (callable in a signal handler and while the program is stopped for a
 * collection), and what differs on CoreCLR. "At the start" means in mono_profiler_init_NAME; later is too late.
 * "Any time": from any thread, also in callbacks. Pointers to things of the runtime are valid until the thing is
 * unloaded, on CoreCLR until the process ends. No function throws.
 *
 * Mono's own headers are not needed. They may be included before this one, which then adds nothing to them, but not
 * after it.
 */
#ifndef ORIEL_MONO_H
#define ORIEL_MONO_H

/* Mono's headers bring these three, so modules may not include them themselves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __MONO_PUBLIB_H__
#define ORIEL_WITH_MONOS_HEADERS
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/profiler.h>
#else
/* A name that Mono's headers declare early on and modules do not use: what it becomes is said if they come later. */
#define MonoHFunc \
  _Pragma("GCC error \"oriel/mono.h replaces Mono's headers: include these before it, or not at all\"") MonoHFunc
#endif

#ifndef ORIEL_WITH_MONOS_HEADERS

#define MONO_PROFILER_API_VERSION 3

#ifdef __cplusplus
#define MONO_BEGIN_DECLS extern "C" {
#define MONO_END_DECLS }
#define MONO_EXTERN_C extern "C"
#else
#define MONO_BEGIN_DECLS
#define MONO_END_DECLS
#define MONO_EXTERN_C
#endif

/* Before a function's declaration: it has C's linkage, and can be seen from outside even with -fvisibility=hidden. */
#define MONO_API_EXPORT __attribute__((visibility("default")))
#define MONO_API MONO_EXTERN_C MONO_API_EXPORT

#endif

MONO_BEGIN_DECLS

/* ---- Vocabulary ------------------------------------------------------------------------------------------------ */

#ifndef ORIEL_WITH_MONOS_HEADERS

typedef int32_t mono_bool; /* 0 or 1 */
typedef uint8_t mono_byte;

/* The module's own state, passed back in every callback: a module defines `struct _MonoProfiler` itself. */
typedef struct _MonoProfiler MonoProfiler;
/* The runtime's handle of one profiler. Never freed. */
typedef struct _MonoProfilerDesc* MonoProfilerHandle;
/* Where a call's arguments and result are, or its locals. */
typedef struct _MonoProfilerCallContext MonoProfilerCallContext;

/* Things of the runtime. Their contents are the runtime's own, also those that Mono's headers show. */
typedef struct _MonoDomain MonoDomain;         /* application domain */
typedef struct _MonoAppContext MonoAppContext; /* remoting context; on CoreCLR there are none */
typedef struct _MonoAssembly MonoAssembly;     /* loaded assembly */
typedef struct _MonoImage MonoImage;           /* file of IL and metadata */
typedef struct _MonoClass MonoClass;           /* a type */
typedef struct MonoVTable MonoVTable;          /* a type's method table in one domain */
typedef struct _MonoMethod MonoMethod;
typedef struct _MonoJitInfo MonoJitInfo; /* a method's native code */
typedef struct _MonoObject MonoObject;   /* an object on the managed heap; valid only during the callback */

typedef enum {
  MONO_PROFILER_SAMPLE_MODE_NONE = 0,
  MONO_PROFILER_SAMPLE_MODE_PROCESS = 1, /* by CPU time */
  MONO_PROFILER_SAMPLE_MODE_REAL = 2     /* by real time */
} MonoProfilerSampleMode;

/* What a call filter chooses of a method, or'ed. CONTEXT: callbacks get the call's context. */
typedef enum {
  MONO_PROFILER_CALL_INSTRUMENTATION_NONE = 0,
  MONO_PROFILER_CALL_INSTRUMENTATION_ENTER = 1 << 1,
  MONO_PROFILER_CALL_INSTRUMENTATION_ENTER_CONTEXT = 1 << 2,
  MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE = 1 << 3,
  MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE_CONTEXT = 1 << 4,
  MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL = 1 << 5,
  MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE = 1 << 6
} MonoProfilerCallInstrumentationFlags;

/* What code is for that is no method's ordinary code, and what `data` of jit_code_buffer then is. */
typedef enum {
  MONO_PROFILER_CODE_BUFFER_METHOD = 0,            /* data: MonoMethod * */
  MONO_PROFILER_CODE_BUFFER_METHOD_TRAMPOLINE = 1, /* not in Mono 6 */
  MONO_PROFILER_CODE_BUFFER_UNBOX_TRAMPOLINE = 2,  /* data: MonoMethod * */
  MONO_PROFILER_CODE_BUFFER_IMT_TRAMPOLINE = 3,
  MONO_PROFILER_CODE_BUFFER_GENERICS_TRAMPOLINE = 4,
  MONO_PROFILER_CODE_BUFFER_SPECIFIC_TRAMPOLINE = 5, /* data: const char * */
  MONO_PROFILER_CODE_BUFFER_HELPER = 6,
  MONO_PROFILER_CODE_BUFFER_MONITOR = 7, /* not in Mono 6 */
  MONO_PROFILER_CODE_BUFFER_DELEGATE_INVOKE = 8,
  MONO_PROFILER_CODE_BUFFER_EXCEPTION_HANDLING = 9
} MonoProfilerCodeBufferType;

/* A collection's phases, in their order. LOCKED: the runtime's locks for it are taken. UNLOCKED: they are released. */
typedef enum {
  MONO_GC_EVENT_PRE_STOP_WORLD = 6,
  MONO_GC_EVENT_PRE_STOP_WORLD_LOCKED = 10, /* not on CoreCLR */
  MONO_GC_EVENT_POST_STOP_WORLD = 7,
  MONO_GC_EVENT_START = 0,
  MONO_GC_EVENT_END = 5,
  MONO_GC_EVENT_PRE_START_WORLD = 8,
  MONO_GC_EVENT_POST_START_WORLD_UNLOCKED = 11, /* not on CoreCLR */
  MONO_GC_EVENT_POST_START_WORLD = 9
} MonoProfilerGCEvent;

/* What a GCHandle does to its object. */
typedef enum {
  MONO_GC_HANDLE_TYPE_MIN = 0,
  MONO_GC_HANDLE_WEAK = 0,
  MONO_GC_HANDLE_WEAK_TRACK_RESURRECTION = 1,
  MONO_GC_HANDLE_NORMAL = 2,
  MONO_GC_HANDLE_PINNED = 3,
  MONO_GC_HANDLE_TYPE_MAX = 4
} MonoGCHandleType;

/* Who registered an area with roots, and what the `key` of gc_root_register then is. */
typedef enum {
  MONO_ROOT_SOURCE_EXTERNAL = 0, /* a program that has Mono in it */
  MONO_ROOT_SOURCE_STACK = 1,    /* key: the thread */
  MONO_ROOT_SOURCE_FINALIZER_QUEUE = 2,
  MONO_ROOT_SOURCE_STATIC = 3,         /* key: MonoVTable * */
  MONO_ROOT_SOURCE_THREAD_STATIC = 4,  /* key: the thread */
  MONO_ROOT_SOURCE_CONTEXT_STATIC = 5, /* key: MonoAppContext * */
  MONO_ROOT_SOURCE_GC_HANDLE = 6,
  MONO_ROOT_SOURCE_JIT = 7,
  MONO_ROOT_SOURCE_THREADING = 8,   /* key: the thread, or NULL */
  MONO_ROOT_SOURCE_DOMAIN = 9,      /* key: MonoDomain *, or NULL */
  MONO_ROOT_SOURCE_REFLECTION = 10, /* key: MonoVTable *, or NULL */
  MONO_ROOT_SOURCE_MARSHAL = 11,
  MONO_ROOT_SOURCE_THREAD_POOL = 12,
  MONO_ROOT_SOURCE_DEBUGGER = 13,
  MONO_ROOT_SOURCE_HANDLE = 14, /* key: the thread */
  MONO_ROOT_SOURCE_EPHEMERON = 15,
  MONO_ROOT_SOURCE_TOGGLEREF = 16
} MonoGCRootSource;

/* The kinds of exception_clause. NONE: a catch. */
typedef enum {
  MONO_EXCEPTION_CLAUSE_NONE = 0,
  MONO_EXCEPTION_CLAUSE_FILTER = 1,
  MONO_EXCEPTION_CLAUSE_FINALLY = 2,
  MONO_EXCEPTION_CLAUSE_FAULT = 4
} MonoExceptionEnum;

/* One place of a method's code that is counted. Its place in the source is known with debug information only, on
 * CoreCLR portable PDBs; without, the file is NULL, on CoreCLR "" and the line 0. */
typedef struct {
  MonoMethod* method;
  uint32_t il_offset;
  uint32_t counter;      /* how often it ran */
  const char* file_name; /* valid during the callback */
  uint32_t line;
  uint32_t column;
} MonoProfilerCoverageData;

#endif

/* ---- Profilers and their callbacks ----------------------------------------------------------------------------- */

/* Makes a profiler; `profiler` comes back as the first argument of its callbacks. At the start; not async-safe.
 * CoreCLR: any time; NULL without memory. */
MONO_API MonoProfilerHandle mono_profiler_create(MonoProfiler* profiler);

/* Loads another module as --profile does: "NAME" or "NAME:ARGS". At the start; not async-safe. CoreCLR: any time; also
 * "/path/libmono-profiler-NAME.so:ARGS"; that it cannot be loaded is said on stderr. */
MONO_API void mono_profiler_load(const char* description);

/* Called once as the process ends, after the last event. NULL removes it. Any time; async-safe. CoreCLR: events of
 * other threads may still come. */
typedef void (*MonoProfilerCleanupCallback)(MonoProfiler* self);
MONO_API void mono_profiler_set_cleanup_callback(MonoProfilerHandle handle, MonoProfilerCleanupCallback callback);

/* MonoProfilerTYPECallback and mono_profiler_set_NAME_callback for each event of mono_events.def, which says when it
 * comes. A setter replaces the profiler's callback, NULL removes it; a callback that is running finishes. Any time;
 * async-safe. CoreCLR: of an event that never comes there, that is said on stderr, once, which is not async-safe. */
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) \
  typedef void(*MonoProfiler##type##Callback) parameters; \
  MONO_API void mono_profiler_set_##name##_callback(MonoProfilerHandle handle, MonoProfiler##type##Callback callback);
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

/* Which calls of a method are raised: or'ed MONO_PROFILER_CALL_INSTRUMENTATION_*, in C++ with a cast. Each profiler has
 * one filter; all are asked, and a profiler may get calls that only another one chose. Mono asks as it compiles a
 * method. Setting it: any time; async-safe. CoreCLR: methods that already run are asked about too, and recompiled soon
 * after. */
typedef MonoProfilerCallInstrumentationFlags (*MonoProfilerCallInstrumentationFilterCallback)(MonoProfiler* self,
                                                                                              MonoMethod* method);
MONO_API void mono_profiler_set_call_instrumentation_filter_callback(
    MonoProfilerHandle handle, MonoProfilerCallInstrumentationFilterCallback callback);

/* Without it there are no call contexts. False if it comes too late. At the start; not async-safe. CoreCLR: not needed,
 * always true. */
MONO_API mono_bool mono_profiler_enable_call_context_introspection(void);

/* Copies of a call's values, to be freed by mono_profiler_call_context_free_buffer; of an object its reference. NULL if
 * there is no such value: positions count from 0 without `this`, the result exists on leave, and so do locals. Only in
 * the callback that got the context; not async-safe. */
MONO_API void* mono_profiler_call_context_get_this(MonoProfilerCallContext* context);
MONO_API void* mono_profiler_call_context_get_argument(MonoProfilerCallContext* context, uint32_t position);
MONO_API void* mono_profiler_call_context_get_local(MonoProfilerCallContext* context, uint32_t position);
MONO_API void* mono_profiler_call_context_get_result(MonoProfilerCallContext* context);
/* `buffer` may be NULL. Any time; not async-safe. */
MONO_API void mono_profiler_call_context_free_buffer(void* buffer);

/* ---- Allocations and clauses ----------------------------------------------------------------------------------- */

/* Without these gc_allocation and exception_clause do not come. False if it comes too late. At the start; not
 * async-safe. CoreCLR: not needed, always true. */
MONO_API mono_bool mono_profiler_enable_allocations(void);
MONO_API mono_bool mono_profiler_enable_clauses(void);

/* ---- Samples --------------------------------------------------------------------------------------------------- */

/* Makes this profiler the owner of sampling, unless another one is. Whether it is the owner. At the start; not
 * async-safe. CoreCLR: any time; `oriel run` samples for its own log if it is not told --no-sample. */
MONO_API mono_bool mono_profiler_enable_sampling(MonoProfilerHandle handle);

/* Sets mode and rate (samples a second). False, and nothing changes, if the profiler is not the owner. Any time;
 * async-safe. CoreCLR: the rate is 1 to 10,000; samples come by each thread's own time. */
MONO_API mono_bool mono_profiler_set_sample_mode(MonoProfilerHandle handle, MonoProfilerSampleMode mode, uint32_t hz);

/* The mode and rate that are set; each pointer may be NULL. Whether the profiler is the owner. Any time; async-safe. */
MONO_API mono_bool mono_profiler_get_sample_mode(MonoProfilerHandle handle, MonoProfilerSampleMode* mode, uint32_t* hz);

/* ---- Coverage -------------------------------------------------------------------------------------------------- */

/* Has places of methods counted. False if it comes too late. At the start; not async-safe. CoreCLR: not needed; false
 * if code cannot be changed. */
MONO_API mono_bool mono_profiler_enable_coverage(void);

/* Whether the profiler wants a method's places counted. Mono asks as it compiles a method. Setting it: any time;
 * async-safe. CoreCLR: not async-safe; methods that already run are asked about too, and counted from then on. */
typedef mono_bool (*MonoProfilerCoverageFilterCallback)(MonoProfiler* self, MonoMethod* method);
MONO_API void mono_profiler_set_coverage_filter_callback(MonoProfilerHandle handle,
                                                         MonoProfilerCoverageFilterCallback callback);

/* Calls `callback` for each counted place of the method, during the call. False if the method is not counted. Any time;
 * not async-safe. CoreCLR: a place is where a basic block begins. */
typedef void (*MonoProfilerCoverageCallback)(MonoProfiler* self, const MonoProfilerCoverageData* data);
MONO_API mono_bool mono_profiler_get_coverage_data(MonoProfilerHandle handle, MonoMethod* method,
                                                   MonoProfilerCoverageCallback callback);

/* ---- Metadata -------------------------------------------------------------------------------------------------- */

/* Frees what mono_method_full_name returned. Any time; not async-safe. */
MONO_API void mono_free(void* text);

/* "Namespace.Class:Method (int,string)", or without the parameters; to be freed by mono_free. Any time; not async-safe.
 * CoreCLR: generic arguments that share code are System.__Canon, where Mono writes T_REF; the definition that calls are
 * of has its parameters' names. The runtime's own stubs are dynamic methods. */
MONO_API char* mono_method_full_name(MonoMethod* method, mono_bool with_parameters);

/* A method's own name, its class, and its token in the image's metadata. Any time; a handler of samples may ask for the
 * name and the class of a method that the sample's stack has. CoreCLR: the class of a dynamic method is NULL, not
 * System.Object. */
MONO_API const char* mono_method_get_name(MonoMethod* method);
MONO_API MonoClass* mono_method_get_class(MonoMethod* method);
MONO_API uint32_t mono_method_get_token(MonoMethod* method);

/* A class's own name in the metadata, "List`1", "Char[]"; its namespace, "" of a nested class; its image, of an array
 * that of the elements. Any time; a handler of samples may ask for the names of the classes of such methods. */
MONO_API const char* mono_class_get_name(MonoClass* klass);
MONO_API const char* mono_class_get_namespace(MonoClass* klass);
MONO_API MonoImage* mono_class_get_image(MonoClass* klass);

/* The name of an image's assembly, its file, its assembly. Any time; not async-safe. */
MONO_API const char* mono_image_get_name(MonoImage* image);
MONO_API const char* mono_image_get_filename(MonoImage* image);
MONO_API MonoAssembly* mono_image_get_assembly(MonoImage* image);

/* Only in the callback that got the object; not async-safe. */
MONO_API MonoClass* mono_object_get_class(MonoObject* object);

/* The first domain, and that of the calling thread. Any time; async-safe. CoreCLR: the one domain. */
MONO_API MonoDomain* mono_get_root_domain(void);
MONO_API MonoDomain* mono_domain_get(void);
/* Any time; not async-safe. */
MONO_API const char* mono_domain_get_friendly_name(MonoDomain* domain);

/* ---- Code and stacks ------------------------------------------------------------------------------------------- */

/* The method's code that an address is in; NULL if in none. Any time; async-safe. CoreCLR: knows code that was compiled
 * since the first module for Mono was loaded, not what was compiled ahead of time. */
MONO_API MonoJitInfo* mono_jit_info_table_find(MonoDomain* domain, void* address);
/* Whose code it is, where it begins, and its size in bytes. Any time; async-safe. */
MONO_API MonoMethod* mono_jit_info_get_method(MonoJitInfo* code);
MONO_API void* mono_jit_info_get_code_start(MonoJitInfo* code);
MONO_API int mono_jit_info_get_code_size(MonoJitInfo* code);

/* Calls `callback` for each managed frame of a stack, innermost first, until it returns 1. `context` is that of a
 * sample_hit callback that is running. Async-safe. CoreCLR: knows the same code as mono_jit_info_table_find. */
typedef mono_bool (*MonoStackWalkAsyncSafe)(MonoMethod* method, MonoDomain* domain, void* code, int offset, void* data);
MONO_API void mono_stack_walk_async_safe(MonoStackWalkAsyncSafe callback, void* context, void* data);

MONO_END_DECLS

#endif
