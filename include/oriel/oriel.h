/* Oriel's public C API.
 *
 * A profiler module is a shared library liboriel-NAME.so that exports
 *
 *     ORIEL_MODULE_EXPORT uint32_t oriel_api_version_NAME(void);        returns ORIEL_API_VERSION
 *     ORIEL_MODULE_EXPORT int      oriel_init_NAME(const char *args);   0, or not 0 to decline
 *
 * The engine accepts modules that were built for its own API version or an older one. It refuses others and says what
 * to
 * do (see ORIEL_API_VERSION). oriel_init_NAME runs once, before managed code does; `args` is what followed "NAME:"
 * (never
 * NULL, valid only during the call). It creates profilers and sets their callbacks.
 *
 * Each function says whether it is async-safe (callable in a signal handler) and when it may be called. "Any time"
 * means:
 * from oriel_init_NAME on, from any thread, including from callbacks, until the process ends. No function throws.
 * Strings
 * are UTF-8. Pointers to runtime things (oriel_method *, …) stay valid until the process ends, even if the thing is
 * unloaded; its id is never reused.
 */
#ifndef ORIEL_ORIEL_H
#define ORIEL_ORIEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this API. Within a version existing modules keep working: functions, events, values at the end of
 * enumerations and fields at the end of an event may be added; existing arguments, numbers, sizes and meanings stay,
 * including the engine's structs and ORIEL_LOST_REASONS. A module that uses a later addition needs an engine that has
 * it: the loader names the missing function. Any other change makes a new version. Engines still accept modules of
 * older
 * versions, except those that call a function whose arguments changed. The history:
 *   1  the first
 *   2  oriel_get_sample_mode takes the profiler first: a module of version 1 that calls it is refused. exception_clause
 *      has an index behind its other fields, and may report ORIEL_CLAUSE_FAULT. The third reason in ORIEL_LOST_REASONS
 *      is a blocked signal, no longer a nested sample. */
#define ORIEL_API_VERSION 2u

#define ORIEL_API __attribute__((visibility("default")))
#ifdef __cplusplus
#define ORIEL_MODULE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ORIEL_MODULE_EXPORT __attribute__((visibility("default")))
#endif

/* ---- Handles and vocabulary ------------------------------------------------------------------------------------ */

/* The module's own state, passed back in every callback: a module defines `struct oriel_profiler` itself. */
typedef struct oriel_profiler oriel_profiler;
/* The engine's handle of one profiler. Never freed. */
typedef struct oriel_profiler_desc* oriel_profiler_handle;

typedef struct oriel_domain oriel_domain;     /* application domain (on CoreCLR there is one) */
typedef struct oriel_assembly oriel_assembly; /* loaded assembly */
typedef struct oriel_image oriel_image;       /* module of an assembly: one file of IL and metadata */
typedef struct oriel_class oriel_class;       /* a type, with its generic arguments */
typedef struct oriel_method oriel_method;     /* a method, with its generic arguments */
typedef struct oriel_thread oriel_thread;     /* a thread, managed or native */
typedef struct oriel_object oriel_object;     /* an object on the managed heap; valid only during the callback */

typedef enum oriel_gc_event {
  ORIEL_GC_PRE_STOP_WORLD,
  ORIEL_GC_POST_STOP_WORLD,
  ORIEL_GC_START,
  ORIEL_GC_END,
  ORIEL_GC_PRE_START_WORLD,
  ORIEL_GC_POST_START_WORLD
} oriel_gc_event;

typedef enum oriel_gc_reason {
  ORIEL_GC_REASON_OTHER,  /* the runtime's own: allocation budget spent, low memory */
  ORIEL_GC_REASON_INDUCED /* GC.Collect and the like */
} oriel_gc_reason;

/* Why the runtime collects. */
typedef enum oriel_gc_trigger {
  ORIEL_GC_TRIGGER_OTHER,
  ORIEL_GC_TRIGGER_SMALL_OBJECTS, /* the allocation budget of generation 0 was used up */
  ORIEL_GC_TRIGGER_LARGE_OBJECTS, /* likewise for large objects, or objects allocated as pinned */
  ORIEL_GC_TRIGGER_INDUCED,       /* GC.Collect and the like */
  ORIEL_GC_TRIGGER_LOW_MEMORY,    /* the machine or the container is low on memory */
  ORIEL_GC_TRIGGER_OUT_OF_SPACE   /* an allocation found no room */
} oriel_gc_trigger;

/* Why the thread pool changes its number of threads. */
typedef enum oriel_pool_reason {
  ORIEL_POOL_REASON_OTHER,
  ORIEL_POOL_REASON_THROUGHPUT, /* hill climbing: whether throughput rises */
  ORIEL_POOL_REASON_STARVATION, /* work waits, and for half a second none was started */
  ORIEL_POOL_REASON_BLOCKING,   /* a pool thread blocks in Task.Wait or the like */
  ORIEL_POOL_REASON_IDLE        /* threads were idle */
} oriel_pool_reason;

/* Where marking starts from. */
typedef enum oriel_gc_roots {
  ORIEL_GC_ROOTS_OTHER,
  ORIEL_GC_ROOTS_STACKS,            /* variables of running methods */
  ORIEL_GC_ROOTS_FINALIZER_QUEUE,   /* objects that wait for their finalizer */
  ORIEL_GC_ROOTS_HANDLES,           /* static fields, pinned objects, what native code holds */
  ORIEL_GC_ROOTS_OLDER_GENERATIONS, /* older objects, not collected now, whose references changed */
  ORIEL_GC_ROOTS_SIZED_REFERENCES,  /* handles of caches that track their size */
  ORIEL_GC_ROOTS_OVERFLOW,          /* objects deferred by a mark stack overflow */
  ORIEL_GC_ROOTS_DEPENDENT_HANDLES, /* values of ConditionalWeakTable whose keys are alive */
  ORIEL_GC_ROOTS_NEW_FINALIZABLE,   /* objects just found to need finalization */
  ORIEL_GC_ROOTS_OTHER_HEAPS,       /* taken over from another heap with more to mark */
  ORIEL_GC_ROOTS_BACKGROUND         /* marked by a background collection under way */
} oriel_gc_roots;

typedef enum oriel_suspend_reason {
  ORIEL_SUSPEND_OTHER,
  ORIEL_SUSPEND_GC,
  ORIEL_SUSPEND_GC_PREPARE,
  ORIEL_SUSPEND_CODE_PITCHING,
  ORIEL_SUSPEND_SHUTDOWN,
  ORIEL_SUSPEND_DEBUGGER,
  ORIEL_SUSPEND_PROFILER,
  ORIEL_SUSPEND_REJIT
} oriel_suspend_reason;

typedef enum oriel_clause_kind {
  ORIEL_CLAUSE_CATCH,
  ORIEL_CLAUSE_FILTER, /* the filter is about to run; its handler, if chosen, is reported as a catch */
  ORIEL_CLAUSE_FINALLY,
  ORIEL_CLAUSE_FAULT
} oriel_clause_kind;
/* The index of an exception clause that the runtime cannot distinguish from another of its method. */
#define ORIEL_NO_CLAUSE_INDEX UINT32_MAX

/* The C type of each field kind in events.def. A log stores ids of the runtime's things, and the class of an object. */
#define ORIEL_TYPE_domain oriel_domain*
#define ORIEL_TYPE_assembly oriel_assembly*
#define ORIEL_TYPE_image oriel_image*
#define ORIEL_TYPE_class oriel_class*
#define ORIEL_TYPE_method oriel_method*
#define ORIEL_TYPE_thread oriel_thread*
#define ORIEL_TYPE_object oriel_object*
#define ORIEL_TYPE_u32 uint32_t
#define ORIEL_TYPE_flag bool
#define ORIEL_TYPE_bytes uint64_t
#define ORIEL_TYPE_nanoseconds uint64_t
#define ORIEL_TYPE_number double
#define ORIEL_TYPE_address const void*
#define ORIEL_TYPE_text const char*
#define ORIEL_TYPE_gc_event oriel_gc_event
#define ORIEL_TYPE_gc_reason oriel_gc_reason
#define ORIEL_TYPE_gc_trigger oriel_gc_trigger
#define ORIEL_TYPE_gc_roots oriel_gc_roots
#define ORIEL_TYPE_pool_reason oriel_pool_reason
#define ORIEL_TYPE_suspend_reason oriel_suspend_reason
#define ORIEL_TYPE_clause_kind oriel_clause_kind
#define ORIEL_TYPE_clause_index uint32_t
#define ORIEL_TYPE_context const void*

/* ORIEL_PARAM: ", type name" for each field; ORIEL_ARG: ", name".
 * Expanding a sequence (a, b)(c, d)… : ORIEL_SEQ(M, seq) pastes M_A(a, b) M_B(c, d) M_A(…)…; define M_A to end in M_B,
 * M_B to end in M_A, and both M_A_END and M_B_END to nothing. */
#define ORIEL_SEQ_END_(...) __VA_ARGS__##_END
#define ORIEL_SEQ_END(...) ORIEL_SEQ_END_(__VA_ARGS__)
#define ORIEL_SEQ(M, seq) ORIEL_SEQ_END(M##_A seq)

#define ORIEL_PARAM_A(kind, name) , ORIEL_TYPE_##kind name ORIEL_PARAM_B
#define ORIEL_PARAM_B(kind, name) , ORIEL_TYPE_##kind name ORIEL_PARAM_A
#define ORIEL_PARAM_A_END
#define ORIEL_PARAM_B_END

#define ORIEL_ARG_A(kind, name) , name ORIEL_ARG_B
#define ORIEL_ARG_B(kind, name) , name ORIEL_ARG_A
#define ORIEL_ARG_A_END
#define ORIEL_ARG_B_END

/* ---- Profilers and their callbacks ----------------------------------------------------------------------------- */

/* Makes a profiler; `profiler` comes back as the first argument of its callbacks and may be NULL. Any time. */
ORIEL_API oriel_profiler_handle oriel_profiler_create(oriel_profiler* profiler);

/* Called once when the process ends, on the thread that ends it, after the last event, except LEAF events that other
 * threads may still be in. NULL removes it. Any time; async-safe. */
typedef void (*oriel_cleanup_cb)(oriel_profiler* profiler);
ORIEL_API void oriel_profiler_set_cleanup_callback(oriel_profiler_handle handle, oriel_cleanup_cb callback);

/* oriel_NAME_cb and oriel_profiler_set_NAME_callback for each event. A setter replaces the profiler's callback, NULL
 * removes it. The event's counter is exactly the number of callbacks installed whenever no setter is running, and never
 * less. Any time; async-safe; never blocks. The runtime is reconfigured soon after on the engine's own thread. A
 * callback that is running when it is removed finishes; it must not throw.
 *
 * A runtime cannot turn on some events at any time. CoreCLR reports gc_root, gc_handle_created, gc_handle_deleted and
 * gc_finalize_queued only if one of these had a callback before the program's code ran: set it in oriel_init_NAME. A
 * callback that is set later is never called. Setters return nothing; call oriel_event_obstacle before or after. */
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                   \
  typedef void (*oriel_##name##_cb)(oriel_profiler * profiler ORIEL_SEQ(ORIEL_PARAM, fields)); \
  ORIEL_API void oriel_profiler_set_##name##_callback(oriel_profiler_handle handle, oriel_##name##_cb callback);
#include "oriel/events.def"
#undef ORIEL_EVENT

/* oriel_event_NAME: an event's number in events.def. */
typedef enum oriel_event_number {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) oriel_event_##name = number,
#include "oriel/events.def"
#undef ORIEL_EVENT
  oriel_event_number_end = 256
} oriel_event_number;

/* How many callbacks are installed for an event, by its number in events.def; 0 for an unknown number. Any time;
 * async-safe. */
ORIEL_API uint32_t oriel_event_counter(uint32_t event_number);

/* Why an event cannot reach a callback that is set now, whatever the program does: one readable sentence that says what
 * to do, valid as long as the process. NULL if there is no known obstacle. By number in events.def; see
 * oriel_event_number. Obstacles arise when the program's code starts: in oriel_init_NAME nothing is too late. Any time;
 * async-safe. */
ORIEL_API const char* oriel_event_obstacle(uint32_t event_number);

/* ---- Modules --------------------------------------------------------------------------------------------------- */

/* Loads a module: "NAME", "NAME:args", "/path/liboriel-NAME.so" or "/path/liboriel-NAME.so:args". A bare name is
 * looked for beside the engine and in ORIEL_MODULE_PATH (folders joined by ':'). Loading a module twice has no effect.
 * Returns 0; otherwise not 0, and `message` (if not NULL, `size` bytes, always terminated) says what is wrong and what
 * to do. Any time; not async-safe. */
ORIEL_API int oriel_load(const char* description, char* message, size_t size);

/* One line to stderr, "oriel: MESSAGE". For what a user must know, once. Nothing is written if the program has
 * redirected stderr to another file. On a profiler's own thread (oriel_thread_attach_tools) the engine's thread writes
 * it, soon after. Any time; not async-safe. */
ORIEL_API void oriel_warn(const char* message);

/* ---- Control --------------------------------------------------------------------------------------------------- */

/* Marks this moment by a text (UTF-8, cut to 240 bytes): the event `mark`, which logs have, and by which reports can be
 * cut. Returns 1 if anybody listens, otherwise 0. Any thread, any time but in a callback; not async-safe. */
ORIEL_API int oriel_mark(const char* text);

/* What `oriel ctl` asks of a process, asked by the process itself: words such as "set", "log", "sample=none"
 * (src/engine/control/commands.h lists them). Returns 0 once it is so; otherwise not 0. `answer` (if not NULL, `size`
 * bytes, always terminated) then has the message, and else lines whose words have tabs between them. Any thread outside
 * callbacks; one at a time, others wait for up to 20 seconds; not async-safe. */
ORIEL_API int oriel_control(const char* const* words, size_t count, char* answer, size_t size);

/* ---- Instrumentation ------------------------------------------------------------------------------------------- */

/* The result of a call instrumentation filter: which probes a method gets. All profilers are asked and the union is
 * inserted, so a profiler also receives events of methods that it did not select. A probe that raises an event without
 * a callback costs a nanosecond. */
enum {
  ORIEL_CALLS_NONE = 0,
  ORIEL_CALLS_ENTER = 1 << 1,
  ORIEL_CALLS_ENTER_CONTEXT = 1 << 2, /* with a call context; implies ENTER */
  ORIEL_CALLS_LEAVE = 1 << 3,
  ORIEL_CALLS_LEAVE_CONTEXT = 1 << 4, /* with a call context; implies LEAVE */
  ORIEL_CALLS_TAIL_CALL = 1 << 5,
  ORIEL_CALLS_EXCEPTION_LEAVE = 1 << 6,
  /* The callbacks of this method may block and call all of oriel.h, for about 15 ns more. They get no context, even if
   * another profiler asked for one. To get a context too, see ORIEL_CALLS_ENTER_FULL. */
  ORIEL_CALLS_FULL = 1 << 7,
  /* The method is not inlined into its callers. */
  ORIEL_CALLS_BLOCK_INLINING = 1 << 8,
  /* For the MoveNext of the state machine that a compiler made of an async method: async_resume, async_suspend,
   * async_complete, async_site and async_handed. They are reported for the base library's builders: Task and ValueTask,
   * pooled or not, async void and async iterators. Nothing is reported for other methods, for other builders, and for
   * runtime-async methods. */
  ORIEL_CALLS_ASYNC = 1 << 9,
  /* method_enter_full and method_leave_full, with a call context; in addition to the method's other probes, and after
   * them. They cost as much as ORIEL_CALLS_FULL, plus some for each reference among the method's values. */
  ORIEL_CALLS_ENTER_FULL = 1 << 10,
  ORIEL_CALLS_LEAVE_FULL = 1 << 11,
  ORIEL_CALLS_ALL = ORIEL_CALLS_ENTER | ORIEL_CALLS_LEAVE | ORIEL_CALLS_TAIL_CALL | ORIEL_CALLS_EXCEPTION_LEAVE
};

/* Called at least once for each method before it first runs, and again for all methods after a filter was changed.
 * Returns an or of ORIEL_CALLS_*. `method` is that of the metadata, shared by all its instantiations. Full context: may
 * ask for names. Must return the same for the same method while it is installed. */
typedef uint32_t (*oriel_call_instrumentation_filter_cb)(oriel_profiler* profiler, oriel_method* method);
/* Installs, replaces or (NULL) removes a profiler's filter. Code that already runs is recompiled soon after, on the
 * engine's own thread; a running loop stays as it is until its method is called again. A method that is compiled for
 * the first time while filters are installed gets its probes then. Any time; async-safe. */
ORIEL_API void oriel_profiler_set_call_instrumentation_filter_callback(oriel_profiler_handle handle,
                                                                       oriel_call_instrumentation_filter_cb callback);

/* Whether allocations in a method's code are reported by gc_allocation. Like the filter above. */
typedef bool (*oriel_allocation_filter_cb)(oriel_profiler* profiler, oriel_method* method);
ORIEL_API void oriel_profiler_set_allocation_filter_callback(oriel_profiler_handle handle,
                                                             oriel_allocation_filter_cb callback);
/* The same for gc_allocation_full. A method may be selected by both: gc_allocation then comes first. */
ORIEL_API void oriel_profiler_set_full_allocation_filter_callback(oriel_profiler_handle handle,
                                                                  oriel_allocation_filter_cb callback);

/* Whether the profiler's other filters may select any method of the image: if this returns false, they are not asked.
 * Without this filter they are asked about all images. Like the filters above. */
typedef bool (*oriel_image_filter_cb)(oriel_profiler* profiler, oriel_image* image);
ORIEL_API void oriel_profiler_set_image_filter_callback(oriel_profiler_handle handle, oriel_image_filter_cb callback);

/* Whether names of the image's methods, as oriel_method_name returns them, can begin with `prefix`: whether it has a
 * type "Namespace.Type" that begins with it or that it begins with. True if unknown. For filters by name, once for each
 * image, as it searches all its types. Full context. */
ORIEL_API bool oriel_image_has_names(oriel_image* image, const char* prefix);

/* Whether the compiler may optimize the image's code: false for debug builds; true if unknown. Full context. */
ORIEL_API bool oriel_image_is_optimized(oriel_image* image);

/* Whether the method's code in the metadata is too short to be worth timing: it returns nothing, an argument, a
 * constant or a field; stores into one field; or calls one method of its own module with such values and returns its
 * result; or it is a constructor that does no more. False if unknown, and for a program's Main. For filters that
 * exclude such methods. Full context. */
ORIEL_API bool oriel_method_is_trivial(oriel_method* method);

/* Writes to `offsets` where the method's code in the metadata boxes values: IL offsets of the instructions, ascending,
 * up to `max`; returns how many there are. 0 if unknown. Full context. */
ORIEL_API size_t oriel_method_boxes(oriel_method* method, uint32_t* offsets, size_t max);

/* A method's code while it may be changed: as in the metadata, or as changed by profilers that were created before this
 * one. Valid only during the callback that received it. */
typedef struct oriel_method_body oriel_method_body;
/* Whether the profiler changes the method's code. Like the filters above. */
typedef bool (*oriel_rewrite_filter_cb)(oriel_profiler* profiler, oriel_method* method);
/* Changes it. Called before the method is first compiled and whenever it is recompiled, always starting from the code
 * in the metadata; probes are inserted after the last rewriter. Full context, but a thread that compiles the same
 * method waits. Must not throw; if it throws, its changes are dropped. */
typedef void (*oriel_rewriter_cb)(oriel_profiler* profiler, oriel_method* method, oriel_method_body* body);
/* Installs, replaces or (both NULL) removes a profiler's rewriter. Setting it again recompiles the methods that it
 * selects; otherwise like the filters above. */
ORIEL_API void oriel_profiler_set_rewriter_callbacks(oriel_profiler_handle handle, oriel_rewrite_filter_cb filter,
                                                     oriel_rewriter_cb rewriter);
/* The body's bytes as in ECMA-335 II.25.4: header, code and sections. Valid until the next call with this body. */
ORIEL_API const uint8_t* oriel_method_body_bytes(const oriel_method_body* body, size_t* size);
/* Copies these bytes as the method's body. First they are checked for everything that makes the runtime throw an
 * InvalidProgramException, except types: headers, branches, exception regions, stack depth, indexes of variables,
 * tokens.
 * False: something is wrong, stderr got a message with the method and the offset, and the body is unchanged. Stack
 * traces
 * find line numbers by offset, so after a change they may name other lines.
 */
ORIEL_API bool oriel_method_body_replace(oriel_method_body* body, const uint8_t* bytes, size_t size);

/* Whether filters have an effect in this process: whether the runtime's code can be changed. Any time; async-safe. */
ORIEL_API bool oriel_instrumentation_possible(void);

/* ---- Call context: a method's arguments and result. Available in method_enter and method_leave callbacks of methods
 * whose filter asked for it (ORIEL_CALLS_*_CONTEXT), and in those of method_enter_full and method_leave_full; valid
 * until
 * the callback returns. All functions here are leaf-safe.
 *
 * FULL callbacks let the garbage collector run. Objects in their context, and what byrefs refer to, stay in place until
 * the callback returns, and so does the object of gc_allocation_full. This does not extend to what these refer to: an
 * object found in a field, in a struct or in a value of a generic parameter's type may move at any moment and must not
 * be
 * followed. To read further, use the LEAF callback, which comes first on the same thread: method_enter before
 * method_enter_full, and so on. */

typedef enum oriel_value_kind {
  ORIEL_VALUE_NONE,
  ORIEL_VALUE_BOOL,
  ORIEL_VALUE_CHAR, /* UTF-16 */
  ORIEL_VALUE_I1,
  ORIEL_VALUE_U1,
  ORIEL_VALUE_I2,
  ORIEL_VALUE_U2,
  ORIEL_VALUE_I4,
  ORIEL_VALUE_U4,
  ORIEL_VALUE_I8,
  ORIEL_VALUE_U8,
  ORIEL_VALUE_R4,
  ORIEL_VALUE_R8,
  ORIEL_VALUE_NATIVE_INT,
  ORIEL_VALUE_NATIVE_UINT,
  ORIEL_VALUE_OBJECT,  /* a reference: at the address is an oriel_object*, which may be NULL */
  ORIEL_VALUE_BYREF,   /* ref, in, out: at the address is the address of the value referred to */
  ORIEL_VALUE_POINTER, /* an unmanaged pointer or function pointer */
  ORIEL_VALUE_STRUCT   /* a value type, including spans and other ref structs: `size` bytes at the address; also a value
                        * of a generic parameter's type, of which shared code knows only the size */
} oriel_value_kind;

/* A value in place. `type` is as in signatures ("System.String", "ref int", "T"); the string lives as long as the
 * process. */
typedef struct oriel_value {
  oriel_value_kind kind;
  uint32_t size;
  const void* address;
  const char* type;
} oriel_value;

/* Return whether the value exists, and fill it in; false without a context. Positions count from 0 without `this`.
 * Locals and the result exist on leave only, and never for the result of a void method. For a value type's method,
 * `this` is the struct itself. */
ORIEL_API bool oriel_call_context_this(const void* context, oriel_value* value);
ORIEL_API bool oriel_call_context_argument(const void* context, uint32_t position, oriel_value* value);
ORIEL_API bool oriel_call_context_local(const void* context, uint32_t position, oriel_value* value);
ORIEL_API bool oriel_call_context_result(const void* context, oriel_value* value);
/* Copies of the values' bytes, to be freed by oriel_call_context_free_buffer; NULL if there is no such value. An object
 * that a copied reference refers to may move once the callback has returned. */
ORIEL_API void* oriel_call_context_get_this(const void* context);
ORIEL_API void* oriel_call_context_get_argument(const void* context, uint32_t position);
ORIEL_API void* oriel_call_context_get_local(const void* context, uint32_t position);
ORIEL_API void* oriel_call_context_get_result(const void* context);
ORIEL_API void oriel_call_context_free_buffer(void* buffer);

/* A field of an object by its name in metadata ("_uri", "<Name>k__BackingField"), its own or inherited. Looked up once
 * for each class and name. Only during the callback that received the object. */
ORIEL_API bool oriel_object_field(oriel_object* object, const char* name, oriel_value* value);
/* Writes a System.String as UTF-8, terminated and cut to `size`; returns the number of bytes without the terminator, 0
 * for NULL. Only during the callback that received the object. */
ORIEL_API size_t oriel_object_text(oriel_object* object, char* buffer, size_t size);

/* ---- Coverage -------------------------------------------------------------------------------------------------- */

typedef enum oriel_coverage_mode {
  ORIEL_COVERAGE_HIT,  /* whether code ran: a store of one byte for each basic block; a method that ran completely loses
                        * its probes again */
  ORIEL_COVERAGE_COUNT /* how often */
} oriel_coverage_mode;

/* Turns on coverage of the methods that the profiler's coverage filter selects. If one profiler wants counts, all get
 * them. False, and nothing is counted for it, if the mode is not available: it is COUNT, and methods were already
 * compiled for HIT. Any time; not async-safe. */
ORIEL_API bool oriel_enable_coverage(oriel_profiler_handle handle, oriel_coverage_mode mode);

/* Whether the profiler wants coverage of a method. Like the filters above; without one, no method. Code that ran before
 * the filter was set is unknown; what was counted stays when it is removed. */
typedef bool (*oriel_coverage_filter_cb)(oriel_profiler* profiler, oriel_method* method);
ORIEL_API void oriel_profiler_set_coverage_filter_callback(oriel_profiler_handle handle,
                                                           oriel_coverage_filter_cb callback);

/* Puts the counters into a file from now on, so that the coverage of a killed process is not lost. It replaces a file
 * that an earlier process left. Its name is that of the profiler's log plus ".counters", where the log's readers look
 * for it. The profiler removes it once its contents are in the log, and says so before with NULL as `path`: what is
 * counted from then on lies in memory. One per process, before methods have counters. Returns 0; otherwise not 0,
 * counters stay in memory, and `message` (if not NULL, `size` bytes, always terminated) says why. Not async-safe. */
ORIEL_API int oriel_set_coverage_file(oriel_profiler_handle handle, const char* path, char* message, size_t size);

/* A place in a method's code. A basic block ran from its first instruction up to the next block, unless one of the
 * exceptions that may occur anywhere did. oriel_method_source gives its file, line and column. */
#define ORIEL_NO_OUTCOME UINT32_MAX
typedef struct oriel_coverage_data {
  oriel_method* method;
  uint32_t il_offset; /* in the metadata's code: where a block begins, or of a branch or switch */
  uint32_t outcome; /* ORIEL_NO_OUTCOME for a block. For a branch or switch: 0 taken, or case 0; 1 the next case, …; the
                     * last one: it fell through */
  uint64_t count;   /* with ORIEL_COVERAGE_HIT 1 or 0 */
} oriel_coverage_data;
typedef void (*oriel_coverage_cb)(oriel_profiler* profiler, const oriel_coverage_data* data);
/* Calls `callback` (may be NULL) for each place of the method, by ascending offset, blocks before outcomes, with the
 * counts since the profiler's last reset, for all of the method's instantiations. False if the method is not counted:
 * no filter selected it, it was not compiled since, its code cannot be changed, or another profiler replaced its code.
 * With NULL as the method: the places that ran, of all methods, one method after the other; false if none ran. Any
 * time; not async-safe. */
ORIEL_API bool oriel_get_coverage_data(oriel_profiler_handle handle, oriel_method* method, oriel_coverage_cb callback);

/* Starts again from zero, for this profiler only, at one moment: no execution is lost or counted twice. While `ended`
 * (may be NULL) runs, oriel_get_coverage_data returns this profiler's counts until that moment, and the file keeps them
 * until `ended` returns. From the process's first reset on, methods keep their probes, and those that lost them get
 * them back soon after; so reset once at the start if single tests are to be distinguished. False, and nothing has
 * changed, without memory or inside `ended`. Any time; not async-safe. */
typedef void (*oriel_coverage_ended_cb)(oriel_profiler* profiler);
ORIEL_API bool oriel_coverage_reset(oriel_profiler_handle handle, oriel_coverage_ended_cb ended);

/* Results of instrumenting a method. */
typedef enum oriel_instrumentation_outcome {
  ORIEL_INSTRUMENTED,
  ORIEL_NOT_INSTRUMENTED_NO_BODY,     /* no IL: native, abstract, made by the runtime, or a dynamic method */
  ORIEL_NOT_INSTRUMENTED_RESERVED,    /* code of the runtime that must not be changed */
  ORIEL_NOT_INSTRUMENTED_UNSUPPORTED, /* varargs, runtime-async methods */
  ORIEL_NOT_INSTRUMENTED_REFUSED,     /* Oriel's own check refused the body, before or after the change */
  ORIEL_NOT_INSTRUMENTED_RUNTIME,     /* the runtime refused the change */
  ORIEL_INSTRUMENTATION_OUTCOMES
} oriel_instrumentation_outcome;
/* Number of bodies by outcome so far. Any time; async-safe. */
ORIEL_API void oriel_instrumentation_counts(uint64_t counts[ORIEL_INSTRUMENTATION_OUTCOMES]);
/* A fixed readable name ("instrumented", "no IL", …). Any time; async-safe. */
ORIEL_API const char* oriel_instrumentation_outcome_name(uint32_t outcome);

/* ---- Guests ---------------------------------------------------------------------------------------------------- */

/* Another profiler that shares the process with Oriel (docs/GUESTS.md). */
typedef struct oriel_guest {
  const char* name;           /* "libagent.so {CLSID}"; lives as long as the process */
  uint32_t interface_version; /* N of the newest ICorProfilerCallbackN that it implements; 0: it could not be loaded */
  bool running;               /* false: it was not loaded, or has detached */
  uint32_t mask_low;          /* its present event mask, as in SetEventMask2 */
  uint32_t mask_high;
  uint64_t methods; /* how many methods' bodies it has changed so far */
  uint64_t ns;      /* time in its callbacks so far, all threads together; ObjectAllocated and enter/leave hooks are not
                     * timed */
} oriel_guest;
/* The guests of the process, in order. Fills in up to `max` of them and returns how many there are; 0 without memory,
 * and before the runtime has started. Any thread, any time; not async-safe. */
ORIEL_API size_t oriel_guests(oriel_guest* guests, size_t max);
/* Adds a guest to the running program: "{CLSID}=PATH". It starts by InitializeForAttach, receives events from then on,
 * and is refused what the runtime refuses an attached profiler. Returns 0, or 1 and one line in `message` (up to `size`
 * bytes including the terminator): it cannot be loaded, declines, or cannot attach; the program and the other guests
 * run on. What its library does while it is loaded, and how long that takes, is not controlled. Any thread outside
 * callbacks; not async-safe. */
ORIEL_API int oriel_guest_add(const char* description, char* message, size_t size);

/* ---- Sampling -------------------------------------------------------------------------------------------------- */

typedef enum oriel_sample_mode {
  ORIEL_SAMPLE_NONE,
  ORIEL_SAMPLE_PROCESS,          /* each thread by the CPU time it uses */
  ORIEL_SAMPLE_REAL,             /* all threads by wall-clock time, including those that wait */
  ORIEL_SAMPLE_PROCESS_AND_WAITS /* each thread by the CPU time it uses; waiting threads are inspected up to
                                  * ORIEL_WAIT_LOOKS times a second, and each look stands for all periods since the
                                  * previous one */
} oriel_sample_mode;

/* A running thread is sampled in a signal handler of its own, by timers on its CPU clock: at the requested rate up to
 * the kernel's tick (100 to 1,000 a second); above that, each sample stands for several periods. A waiting thread is
 * never signalled, since that would interrupt many system calls. Its sample_hit comes on a thread of the engine, which
 * inspects it from outside while it waits or wakes up. For both, only async-safe functions may be called, and nothing
 * that belongs to the calling thread (thread_local, oriel_thread_current) describes the sampled one; use
 * oriel_sample_*. Callbacks for one thread slot never run concurrently. */

/* Makes this profiler the owner of sampling, unless another one called it before. Returns whether it is the owner. Any
 * time. */
ORIEL_API bool oriel_enable_sampling(oriel_profiler_handle handle);

/* Sets mode and rate (samples a second for each thread, 1 to 10,000). Returns false, and changes nothing, if this
 * profiler is not the owner, the rate is out of range, or the process is ending. The change takes effect soon after, on
 * the engine's own thread; what is set before the engine starts takes effect before managed code runs. If that fails,
 * stderr gets a message and the mode becomes ORIEL_SAMPLE_NONE. Any time; async-safe. */
ORIEL_API bool oriel_set_sample_mode(oriel_profiler_handle handle, oriel_sample_mode mode, uint32_t hz);

/* Gets mode and rate as last set by any profiler; either may be NULL. Returns whether this profiler is the owner, who
 * may set them. `handle` may be NULL. Any time; async-safe. */
ORIEL_API bool oriel_get_sample_mode(oriel_profiler_handle handle, oriel_sample_mode* mode, uint32_t* hz);

/* How the owner of sampling keeps within a budget of CPU time: samples are taken at `pace` thousandths of the rate (1
 * to 1,000), and each stands for so many more periods, so that what they add up to stays. `used` and `limit` say what
 * it has taken and may take, in millionths of whatever it counts against; a limit of 0: it has no budget. */
typedef struct oriel_pace {
  uint32_t pace, used, limit;
} oriel_pace;

/* Sets it; another pace is the event sampling_paced. Waiting threads are inspected, and new threads looked for, at the
 * pace too. Sampled allocations are left out in the same proportion, and the others represent so many more bytes.
 * False, and nothing changes, if this profiler is not the owner or the pace is out of range. Any time. */
ORIEL_API bool oriel_set_sampling_pace(oriel_profiler_handle handle, const oriel_pace* pace);

/* Gets it, as last set. Any time. */
ORIEL_API void oriel_get_sampling_pace(oriel_pace* pace);

/* The CPU time in nanoseconds that samples took on the sampled threads so far, with their signals, of which the
 * system's part is measured when sampling begins. What the engine's own threads take is not in it. Any time;
 * async-safe. */
ORIEL_API uint64_t oriel_sampling_time(void);

/* The maximum depth of a stack walk, and the highest sampling rate. */
#define ORIEL_MAX_FRAMES 1024u
#define ORIEL_MAX_SAMPLE_HZ 10000u
/* How often a second ORIEL_SAMPLE_PROCESS_AND_WAITS inspects waiting threads at most. */
#define ORIEL_WAIT_LOOKS 20u

/* Writes the return addresses of the sampled thread's stack to `frames`, innermost first; frames[0] is the instruction
 * that runs next. Returns how many. Managed and native frames alike. `*truncated` (may be NULL) says whether the walk
 * ended before the thread's start. A sample's stack is walked once, whoever asks. Async-safe; only with the context of
 * a sample_hit callback that is running. */
ORIEL_API size_t oriel_stack_walk_async_safe(const void* context, uintptr_t* frames, size_t max, bool* truncated);

/* Walks the calling thread's own stack from the caller of this function on, for callbacks in the program's own code:
 * sets `*frames` to its return addresses, innermost first, up to ORIEL_MAX_FRAMES, and returns how many; they are valid
 * until the thread's next call. Managed and native frames alike: the caller skips frames of the module and the runtime
 * below the first managed one. `*truncated` (may be NULL) as above. About 20 ns a frame. The first call of all makes
 * the engine's own thread read the call-frame information of libraries, so make one in oriel_init_NAME; earlier walks
 * may be truncated. Any time; leaf-safe; not async-safe. */
ORIEL_API size_t oriel_stack_walk_here(const uintptr_t** frames, bool* truncated);

/* ---- Counters and activities ----------------------------------------------------------------------------------- */

/* Subscribes to meters (System.Diagnostics.Metrics) and providers of event counters for counter_value, once a second.
 * `names` are separated by commas; "Microsoft.AspNetCore.*" is all meters with that prefix; "METER\INSTRUMENT" is one
 * instrument of a meter. NULL or "": none, the default. There is one subscription for all profilers, and each receives
 * all values. The text is copied. Any time; not async-safe. */
ORIEL_API void oriel_set_meters(oriel_profiler_handle handle, const char* names);

/* Subscribes to sources (System.Diagnostics.ActivitySource) for activity_stopped: names separated by commas; "*" for
 * all, and then also database commands of Entity Framework Core. Libraries create activities only if somebody listens:
 * HttpClient then adds a traceparent header to its requests. Otherwise as above. */
ORIEL_API void oriel_set_activities(oriel_profiler_handle handle, const char* sources);

/* A small number for the sampled thread, below ORIEL_MAX_SAMPLED_THREADS, unique until the thread ends: an index for a
 * module's per-thread buffers. Async-safe; context as above. */
#define ORIEL_MAX_SAMPLED_THREADS 4096u
ORIEL_API uint32_t oriel_sample_thread_slot(const void* context);
/* The operating system's id of the sampled thread. Async-safe; context as above. */
ORIEL_API uint32_t oriel_sample_os_thread(const void* context);
/* When the sample was taken, as in oriel_clock. Async-safe; context as above. */
ORIEL_API uint64_t oriel_sample_time(const void* context);
/* How many sampling periods this sample stands for: 1, or more if it was late. Async-safe; as above. */
ORIEL_API uint32_t oriel_sample_periods(const void* context);
/* Whether the sampled thread's instruction had caused a page fault, and most of the time since the previous sample
 * passed in it. The time of a system call does not count here. Precision is that of the kernel's ticks: at rates below
 * the tick's, a sample whose periods have both is counted for the larger part. False for a waiting thread. Async-safe;
 * as above. */
ORIEL_API bool oriel_sample_in_page_fault(const void* context);
/* Whether the sampled thread waits: its periods are of wall-clock time, not of CPU time. Async-safe; as above. */
ORIEL_API bool oriel_sample_is_waiting(const void* context);
/* The method that the sampled thread was compiling, the innermost of several. NULL if it was compiling none, if it
 * waits (oriel_sample_is_waiting), for a dynamic method that was not known before, and for a compilation that began
 * before samples or jit events were enabled. `*again` (may be NULL) says whether the method had code before: it is
 * recompiled for another tier, for a running loop (on-stack replacement), or with probes or a rewriter's changes; false
 * with NULL. Async-safe; as above. */
ORIEL_API oriel_method* oriel_sample_compiled_method(const void* context, bool* again);

/* Why a sample is missing or incomplete, as in lost.def; there are ORIEL_LOST_REASONS. A module counts samples lost to
 * its full buffers itself. Reasons "thread exited" and "signal blocked" are counted when the thread, or sampling, ends.
 * A broken stack, or one deeper than ORIEL_MAX_FRAMES, belongs to a sample that was taken. */
typedef enum oriel_lost_reason {
#define ORIEL_LOST(symbol, name, what, words) ORIEL_LOST_##symbol,
#define ORIEL_LOST_IN_LOG(symbol, name, what, words)
#include "oriel/lost.def"
#undef ORIEL_LOST
#undef ORIEL_LOST_IN_LOG
  ORIEL_LOST_REASONS
} oriel_lost_reason;

/* Samples lost so far, by reason. Any time; async-safe. */
ORIEL_API void oriel_sampling_lost(uint64_t counts[ORIEL_LOST_REASONS]);
/* A fixed name ("thread-limit", …) for a reason. Any time; async-safe. */
ORIEL_API const char* oriel_lost_reason_name(uint32_t reason);

/* Wall-clock mode: how many rounds over all waiting threads that were due were completed, and in how many nanoseconds;
 * either may be NULL. If a round takes longer than a sampling period, looks have used up their share of a processor, 3
 * %: there are then fewer samples of waiting threads, and each stands for more periods. Any time; async-safe. */
ORIEL_API void oriel_sampling_looks(uint64_t* rounds, uint64_t* ns);

/* For how many nanoseconds, in total, sampled threads were runnable without a processor: the run delay in Linux'
 * /proc/PID/task/TID/schedstat, which is not part of samples of waiting threads. 0 if the system does not provide it,
 * or if waiting threads are not sampled. Any time; async-safe. */
ORIEL_API uint64_t oriel_sampling_ready_ns(void);

/* ---- Time ------------------------------------------------------------------------------------------------------ */

/* The engine's clock: the processor's time stamp counter if it runs at a constant rate, else monotonic nanoseconds.
 * Readers convert it to time by interpolating between pairs of it and the time of day. Any time; async-safe. */
ORIEL_API uint64_t oriel_clock(void);

/* ---- The runtime's things -------------------------------------------------------------------------------------- */

/* Ids are small, dense from 1, assigned when the engine first sees a thing, and never reused. oriel_KIND_count is the
 * highest id so far; oriel_KIND_by_id is NULL beyond it. Any time; async-safe. */
#define ORIEL_IDS(kind)                                            \
  ORIEL_API uint32_t oriel_##kind##_id(const oriel_##kind* thing); \
  ORIEL_API uint32_t oriel_##kind##_count(void);                   \
  ORIEL_API oriel_##kind* oriel_##kind##_by_id(uint32_t id);
ORIEL_IDS(domain)
ORIEL_IDS(assembly)
ORIEL_IDS(image)
ORIEL_IDS(class)
ORIEL_IDS(method)
ORIEL_IDS(thread)
#undef ORIEL_IDS

/* Names. The first call may ask the runtime's metadata, and the result is kept; strings live as long as the process.
 * Never NULL: a placeholder in brackets stands for a missing name. Any time outside gc and suspend callbacks; not
 * async-safe. Names of unloaded things stay known. */
ORIEL_API const char* oriel_domain_name(oriel_domain* domain);
ORIEL_API const char* oriel_assembly_name(oriel_assembly* assembly); /* simple name: System.Private.CoreLib */
ORIEL_API const char* oriel_image_name(oriel_image* image);          /* file name without folder */
ORIEL_API const char* oriel_image_path(oriel_image* image);          /* "" for dynamic and in-memory images */
/* The symbols made with the image. Of a portable PDB the path on the build machine, and the id in 40 hexadecimal digits
 * (GUID and stamp, in the PDB's byte order); of Mono's .mdb beside it that path, and the MVID. "" if there are none. */
ORIEL_API const char* oriel_image_pdb_path(oriel_image* image);
ORIEL_API const char* oriel_image_pdb_id(oriel_image* image);
/* The GUID of the image's version (MVID) in 32 hexadecimal digits, in the metadata's byte order. "" if unknown. */
ORIEL_API const char* oriel_image_mvid(oriel_image* image);
ORIEL_API const char* oriel_class_name(oriel_class* klass); /* Namespace.Outer.Inner<System.Int32> */
/* As in source code, with namespace, class, generic arguments and parameter types: Shop.Cart.AddAsync(System.String,
 * int) also for the compiler-made method Shop.Cart+<AddAsync>d__3.MoveNext(). */
ORIEL_API const char* oriel_method_name(oriel_method* method);
/* The same without namespace and class: AddAsync(System.String, int). */
ORIEL_API const char* oriel_method_short_name(oriel_method* method);
/* As in metadata, with its class: Shop.Cart+<AddAsync>d__3.MoveNext(). */
ORIEL_API const char* oriel_method_raw_name(oriel_method* method);
/* The methodDef token of the code in the metadata of oriel_method_image: that of <AddAsync>d__3.MoveNext, not of
 * AddAsync. 0 for a dynamic method. */
ORIEL_API uint32_t oriel_method_token(oriel_method* method);
/* The class to show for a method: for <AddAsync>d__3.MoveNext it is Shop.Cart. NULL for a dynamic method. */
ORIEL_API oriel_class* oriel_method_class(oriel_method* method);
/* The image that contains a method's code. NULL for a dynamic method. Resolves no names if the engine already knows
 * it.
 */
ORIEL_API oriel_image* oriel_method_image(oriel_method* method);
/* NULL if unknown, for instance for a dynamic method or an array class. */
ORIEL_API oriel_image* oriel_class_image(oriel_class* klass);
ORIEL_API oriel_assembly* oriel_image_assembly(oriel_image* image);
/* Size of an instance on the heap in bytes; 0 if sizes vary (arrays, strings) or it is unknown. */
ORIEL_API uint32_t oriel_class_instance_size(oriel_class* klass);

/* The class of an object. Only during the callback that received the object. NULL if unknown. */
ORIEL_API oriel_class* oriel_object_class(oriel_object* object);

/* The calling thread, registered on its first call; NULL without memory. Any time. */
ORIEL_API oriel_thread* oriel_thread_current(void);
/* Any time; async-safe. */
ORIEL_API uint32_t oriel_thread_os_id(const oriel_thread* thread);
ORIEL_API bool oriel_thread_is_managed(const oriel_thread* thread);
/* The thread that has, or last had, this OS id, registered if it was not; NULL without memory. Any time. */
ORIEL_API oriel_thread* oriel_thread_by_os_id(uint32_t os_id);
/* The name that the program gave it, else that of the system (its comm), else "". Any time; not async-safe. */
ORIEL_API const char* oriel_thread_get_name(oriel_thread* thread);
/* Marks the calling thread as a profiler's own: it is not sampled. Any time. */
ORIEL_API void oriel_thread_attach_tools(void);

/* ---- Addresses ------------------------------------------------------------------------------------------------- */

typedef enum oriel_frame_kind {
  ORIEL_FRAME_UNKNOWN, /* in no method and no library */
  ORIEL_FRAME_MANAGED, /* `method` is set */
  ORIEL_FRAME_NATIVE,  /* `library` is set, and `symbol` if the library has symbols */
  ORIEL_FRAME_STUB     /* code generated by the runtime that is no method: stubs, helpers */
} oriel_frame_kind;

typedef struct oriel_frame {
  oriel_frame_kind kind;
  oriel_method* method;
  const char* library; /* path of the file, "[vdso]"; NULL if none */
  const char* symbol;  /* demangled; NULL if none. Strings live as long as the process. */
  uintptr_t start; /* start of the function, with or without a symbol; the library's load address if that is unknown; 0
                    * if there is none */
} oriel_frame;

/* What an address of a sampled stack belonged to at the time `when` (oriel_clock; freed code is remembered). For a
 * return address pass address - 1. The first address in a library opens files for a moment. Any time outside gc and
 * suspend callbacks; not async-safe. */
ORIEL_API void oriel_resolve_address(uintptr_t address, uint64_t when, oriel_frame* frame);

typedef struct oriel_native {
  const char* library;     /* as in oriel_frame */
  uintptr_t base;          /* load bias: an address minus this is the link-time address that debuggers and symbol files
                            * use */
  const uint8_t* build_id; /* build_id_size bytes; NULL if the library has none. Lives as long as the process. */
  size_t build_id_size;
  uintptr_t start; /* of the function, and its bytes; 0 if unknown */
  size_t size;
} oriel_native;

/* The library that has, or last had, a code address, and the function there. False if there is none. When and where as
 * in oriel_resolve_address. */
ORIEL_API bool oriel_resolve_native(uintptr_t address, oriel_native* native);

/* Copies `size` bytes of code: from the file for a library, since it may be unloaded by now, else from memory. False if
 * not all of them are available. Reads a file each time. When and where as in oriel_resolve_address. */
ORIEL_API bool oriel_read_code(uintptr_t address, void* to, size_t size);

/* What a function of the runtime's library is for that has no symbol, recognized by its code: "[allocation]", "[write
 * barrier]"; "" where the code does not tell, or is not the runtime's. Valid as long as the process. Reads a file.
 * Times and threads as oriel_resolve_address. */
ORIEL_API const char* oriel_native_purpose(const oriel_native* function);

/* The same of code that the runtime generated (ORIEL_FRAME_STUB), by an address in it or a return address: "[call
 * counting]", "[interface call stub]"; "" where it is not recognized or has gone. */
ORIEL_API const char* oriel_stub_purpose(uintptr_t address);

/* Where in its method's IL an address of native code is: the offset of the instruction that it was made of, of a prolog
 * the first, of an epilog the one before. Of code with probes or a rewriter's changes in it where the instruction was
 * in the original body, as far as the rewriter told. `when` and return addresses as above. Code that the compiler
 * inlined is where its caller calls it. ORIEL_NO_IL_OFFSET of what is no managed code, of dynamic methods, of code that
 * was freed before it was first asked about, and where the runtime's debugging support is off. Any time outside gc and
 * suspend callbacks; not async-safe. */
#define ORIEL_NO_IL_OFFSET 0xffffffffu
ORIEL_API uint32_t oriel_il_offset(uintptr_t address, uint64_t when);

/* ---- Sources --------------------------------------------------------------------------------------------------- */

/* A statement, or part of one, that code was compiled from: a compiler's sequence point. */
typedef struct oriel_source {
  const char* file;   /* path as given to the compiler; lives as long as the process */
  uint32_t il_offset; /* where its code begins */
  uint32_t line;      /* like the others from 1; the end is exclusive */
  uint32_t column;
  uint32_t end_line;
  uint32_t end_column;
  bool hidden; /* the code at the offset was generated by the compiler and belongs to no line: this is the statement
                * before it, or the method's first. Coverage ignores such code */
} oriel_source;

/* The source location of the instruction at an offset of the method's IL in the metadata, as returned by
 * oriel_coverage_data, oriel_il_offset, async_site and so on. Taken from the portable PDB that was made with the image:
 * beside the image, at its path on the build machine, in a symbol folder (_NT_SYMBOL_PATH, ~/.dotnet/symbolcache), or
 * embedded in the image's file; or from the .mdb of Mono's compiler, whose statements end where they begin. It is read
 * on the calling thread when its image is first asked about, and kept while the image is loaded. False if this machine
 * has none (no file, one of another build, a Windows PDB, or one of more than 256 MiB), for dynamic methods, and for
 * methods without lines. For an assembly loaded from bytes, the PDB is found on its build path or among symbols, not in
 * memory. Any time outside gc and suspend callbacks, in no LEAF callback; not async-safe. */
ORIEL_API bool oriel_method_source(oriel_method* method, uint32_t il_offset, oriel_source* source);

/* ---- The process ----------------------------------------------------------------------------------------------- */

/* "CoreCLR 10.0.12", "scripted", … Any time; never NULL. */
ORIEL_API const char* oriel_runtime_name(void);
/* Oriel's own version, "0.1.0". Any time; async-safe. */
ORIEL_API const char* oriel_version(void);

#ifdef __cplusplus
}
#endif

#endif
