/* Oriel's public C API.
 *
 * A profiler module is a shared library liboriel-NAME.so that exports
 *
 *     ORIEL_MODULE_EXPORT uint32_t oriel_api_version_NAME(void);        returns ORIEL_API_VERSION
 *     ORIEL_MODULE_EXPORT int      oriel_init_NAME(const char *args);   0, or not 0 to be left out
 *
 * The engine takes modules that were built for its own API version or an older one, and refuses others with what to do
 * (see ORIEL_API_VERSION). oriel_init_NAME runs once, before managed code does; `args` is what followed "NAME:" (never
 * NULL, valid only during the call). It creates profilers and sets their callbacks.
 *
 * Each function says whether it is async-safe (callable in a signal handler) and from when to when it may be called.
 * "Any time" means: from oriel_init_NAME on, from any thread, including from callbacks, until the process ends.
 * No function throws. Strings are UTF-8. Pointers to runtime things (oriel_method *, …) stay valid until the process
 * ends; what they name may be gone by then, their ids are never used again.
 */
#ifndef ORIEL_ORIEL_H
#define ORIEL_ORIEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this API. Within a version modules that are built already go on working: functions, events, values at
 * the end of enumerations and fields at the end of an event may come; what is there keeps its arguments, numbers, sizes
 * and meaning, the engine's structs and ORIEL_LOST_REASONS among it. A module that uses what came later needs an engine
 * that has it: the loader names the function that is missing. Any other change makes a new version, and engines go on
 * taking modules of the older ones, but for those that call a function whose arguments changed. The history:
 *   1  the first
 *   2  oriel_get_sample_mode takes the profiler first: a module of version 1 that calls it is refused. exception_clause
 *      has an index behind its other fields, and may tell of ORIEL_CLAUSE_FAULT. The third reason in ORIEL_LOST_REASONS
 *      is a blocked signal, no nested sample. */
#define ORIEL_API_VERSION 2u

#define ORIEL_API __attribute__((visibility("default")))
#ifdef __cplusplus
#define ORIEL_MODULE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ORIEL_MODULE_EXPORT __attribute__((visibility("default")))
#endif

/* ---- Handles and vocabulary ------------------------------------------------------------------------------------ */

/* The module's own state, passed back in every callback: a module defines `struct oriel_profiler` as it likes. */
typedef struct oriel_profiler oriel_profiler;
/* One profiler, as the engine knows it. Never freed. */
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
  ORIEL_GC_TRIGGER_SMALL_OBJECTS, /* what generation 0 may allocate between collections was allocated */
  ORIEL_GC_TRIGGER_LARGE_OBJECTS, /* likewise of large objects, or of those allocated as pinned */
  ORIEL_GC_TRIGGER_INDUCED,       /* GC.Collect and the like */
  ORIEL_GC_TRIGGER_LOW_MEMORY,    /* the machine or the container has little left */
  ORIEL_GC_TRIGGER_OUT_OF_SPACE   /* there was no room where an object was to go */
} oriel_gc_trigger;

/* Why the thread pool wants another number of threads. */
typedef enum oriel_pool_reason {
  ORIEL_POOL_REASON_OTHER,
  ORIEL_POOL_REASON_THROUGHPUT, /* it tries whether more gets done with that many */
  ORIEL_POOL_REASON_STARVATION, /* work waits, and for half a second none was begun */
  ORIEL_POOL_REASON_BLOCKING,   /* a thread of it blocks, and says so: Task.Wait */
  ORIEL_POOL_REASON_IDLE        /* threads had nothing to do */
} oriel_pool_reason;

/* Where marking starts from. */
typedef enum oriel_gc_roots {
  ORIEL_GC_ROOTS_OTHER,
  ORIEL_GC_ROOTS_STACKS,            /* variables of methods that run */
  ORIEL_GC_ROOTS_FINALIZER_QUEUE,   /* objects that wait for their finalizer */
  ORIEL_GC_ROOTS_HANDLES,           /* static fields, pinned objects, what native code holds */
  ORIEL_GC_ROOTS_OLDER_GENERATIONS, /* objects of generations that are not collected, with references changed since */
  ORIEL_GC_ROOTS_SIZED_REFERENCES,  /* handles of caches that want to know their size */
  ORIEL_GC_ROOTS_OVERFLOW,          /* objects left aside because there were too many at once */
  ORIEL_GC_ROOTS_DEPENDENT_HANDLES, /* values of ConditionalWeakTable whose keys live */
  ORIEL_GC_ROOTS_NEW_FINALIZABLE,   /* objects just found to need their finalizer */
  ORIEL_GC_ROOTS_OTHER_HEAPS,       /* taken over from another heap that had more to mark */
  ORIEL_GC_ROOTS_BACKGROUND         /* marked by a background collection that is under way */
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
  ORIEL_CLAUSE_FILTER, /* the filter is about to run, not what it may choose: that is a catch */
  ORIEL_CLAUSE_FINALLY,
  ORIEL_CLAUSE_FAULT
} oriel_clause_kind;
/* The index of an exception clause that the runtime does not tell apart from another of its method. */
#define ORIEL_NO_CLAUSE_INDEX UINT32_MAX

/* The C type of each field kind in events.def. A log stores ids for the runtime's things, the class for an object. */
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

/* Called once when the process ends, on the thread that ends it, after the last event but for LEAF ones, which other
 * threads may just be in. NULL takes it away.
 * Any time; async-safe. */
typedef void (*oriel_cleanup_cb)(oriel_profiler* profiler);
ORIEL_API void oriel_profiler_set_cleanup_callback(oriel_profiler_handle handle, oriel_cleanup_cb callback);

/* oriel_NAME_cb and oriel_profiler_set_NAME_callback for each event. A setter replaces the profiler's callback, NULL
 * takes it away; the event's counter is exactly the number of callbacks installed whenever no setter is running, and
 * never less. Any time; async-safe; never blocks. What the runtime must change for it follows soon after on the
 * engine's own thread. A callback that is running when it is taken away finishes; it must not throw.
 *
 * Some events a runtime cannot turn on at any time. CoreCLR tells gc_root, gc_handle_created, gc_handle_deleted and
 * gc_finalize_queued only if one of these had a callback before the program's code ran: set it in oriel_init_NAME. A
 * callback that is set later hears nothing. Setters have no result; oriel_event_obstacle tells, right behind the setter
 * or before it. */
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

/* How many callbacks are installed for an event, by its number in events.def; 0 for a number it does not know.
 * Any time; async-safe. */
ORIEL_API uint32_t oriel_event_counter(uint32_t event_number);

/* Why an event does not come to a callback that is set now, whatever the program does: one sentence that says what to
 * do, for a person, valid as long as the process. NULL if nothing keeps it from coming, as far as is known. By its
 * number in events.def; see oriel_event_number. The runtime begins to know it with the program's code: in
 * oriel_init_NAME nothing is too late. Any time; async-safe. */
ORIEL_API const char* oriel_event_obstacle(uint32_t event_number);

/* ---- Modules --------------------------------------------------------------------------------------------------- */

/* Loads a module: "NAME", "NAME:args", "/path/liboriel-NAME.so" or "/path/liboriel-NAME.so:args". A bare name is
 * looked for beside the engine and in ORIEL_MODULE_PATH (folders joined by ':'). Loading a module twice has no effect.
 * Returns 0; otherwise not 0, and `message` (if not NULL, `size` bytes, always terminated) says what is wrong and what
 * to do. Any time; not async-safe. */
ORIEL_API int oriel_load(const char* description, char* message, size_t size);

/* One line to stderr, "oriel: MESSAGE". For what a user must know, once. Nothing where the program has put another file
 * in stderr's place. On a profiler's own thread (oriel_thread_attach_tools) the engine's thread says it, soon after.
 * Any time; not async-safe. */
ORIEL_API void oriel_warn(const char* message);

/* ---- Instrumentation ------------------------------------------------------------------------------------------- */

/* What a call instrumentation filter answers: which probes a method gets. All profilers are asked and the union is put
 * in, so that a profiler also hears of methods that it did not ask for; probes that raise an event without a callback
 * cost a nanosecond. */
enum {
  ORIEL_CALLS_NONE = 0,
  ORIEL_CALLS_ENTER = 1 << 1,
  ORIEL_CALLS_ENTER_CONTEXT = 1 << 2, /* with a call context; implies ENTER */
  ORIEL_CALLS_LEAVE = 1 << 3,
  ORIEL_CALLS_LEAVE_CONTEXT = 1 << 4, /* with a call context; implies LEAVE */
  ORIEL_CALLS_TAIL_CALL = 1 << 5,
  ORIEL_CALLS_EXCEPTION_LEAVE = 1 << 6,
  /* The callbacks of this method may block and call all of oriel.h, at about 15 ns more; they get no context, whoever
   * asked for one. Where a context is wanted too, see ORIEL_CALLS_ENTER_FULL. */
  ORIEL_CALLS_FULL = 1 << 7,
  /* The method is compiled for itself even where the JIT compiler would have inlined it into its caller. */
  ORIEL_CALLS_BLOCK_INLINING = 1 << 8,
  /* Of the method that a compiler made of an async one, the MoveNext of its state machine: async_resume, async_suspend,
   * async_complete, async_site and async_handed. Told are methods with the base library's builders: of Task and
   * ValueTask, pooled or not, of async void and of async iterators. Nothing of other methods, of those with other
   * builders, and of those that the runtime itself makes asynchronous. */
  ORIEL_CALLS_ASYNC = 1 << 9,
  /* method_enter_full and method_leave_full, with a call context: beside what else is asked for of the method, and
   * behind it. They cost what ORIEL_CALLS_FULL does, and more with each reference among the method's values. */
  ORIEL_CALLS_ENTER_FULL = 1 << 10,
  ORIEL_CALLS_LEAVE_FULL = 1 << 11,
  ORIEL_CALLS_ALL = ORIEL_CALLS_ENTER | ORIEL_CALLS_LEAVE | ORIEL_CALLS_TAIL_CALL | ORIEL_CALLS_EXCEPTION_LEAVE
};

/* Asked at least once for each method before it first runs, and again for all methods after a filter was changed: an
 * or of ORIEL_CALLS_*. `method` is the metadata's, shared by all its instantiations. Full context: may ask names. Must
 * answer the same for the same method while it is installed. */
typedef uint32_t (*oriel_call_instrumentation_filter_cb)(oriel_profiler* profiler, oriel_method* method);
/* Installs, replaces or (NULL) takes away a profiler's filter. Code that runs already is changed soon after, on the
 * engine's own thread, by compiling it again; a loop that is running goes on as it is until its method is called anew.
 * A method that is compiled for the first time while filters are installed gets its probes before that. Any time;
 * async-safe. */
ORIEL_API void oriel_profiler_set_call_instrumentation_filter_callback(oriel_profiler_handle handle,
                                                                       oriel_call_instrumentation_filter_cb callback);

/* Whether the allocations in a method's code are to be reported by gc_allocation. As the filter above. */
typedef bool (*oriel_allocation_filter_cb)(oriel_profiler* profiler, oriel_method* method);
ORIEL_API void oriel_profiler_set_allocation_filter_callback(oriel_profiler_handle handle,
                                                             oriel_allocation_filter_cb callback);
/* The same for gc_allocation_full. A method may be chosen by both: gc_allocation then comes first. */
ORIEL_API void oriel_profiler_set_full_allocation_filter_callback(oriel_profiler_handle handle,
                                                                  oriel_allocation_filter_cb callback);

/* Whether the profiler's other filters can choose any method of the image: where this says no, they are not asked.
 * Without one all are asked. As the filters above. */
typedef bool (*oriel_image_filter_cb)(oriel_profiler* profiler, oriel_image* image);
ORIEL_API void oriel_profiler_set_image_filter_callback(oriel_profiler_handle handle, oriel_image_filter_cb callback);

/* Whether names of the image's methods, as oriel_method_name gives them, can begin with `prefix`: whether it has a type
 * "Namespace.Type" that does or that the prefix goes into. True where it is not known. For filters by name, once for
 * each image: it looks through all its types. Full context. */
ORIEL_API bool oriel_image_has_names(oriel_image* image, const char* prefix);

/* Whether the compiler may optimize the image's code: false of debug builds, and true where it is not known. Full
 * context. */
ORIEL_API bool oriel_image_is_optimized(oriel_image* image);

/* Whether the method's code, as the metadata has it, is over before a clock could be read: it returns nothing, an
 * argument, a constant or a field, stores into one field, or calls one method of its own module with such values and
 * returns what that does; or it is a constructor that does no more. False where it is not known, and of a program's
 * Main. For filters that leave such methods out. Full context. */
ORIEL_API bool oriel_method_is_trivial(oriel_method* method);

/* Writes to `offsets` where the method's code, as the metadata has it, boxes values: offsets of the instructions in its
 * IL, in order, `max` at most; returns how many there are. 0 where it is not known. Full context. */
ORIEL_API size_t oriel_method_boxes(oriel_method* method, uint32_t* offsets, size_t max);

/* A method's code while it may be changed: as the metadata has it, or as profilers that were created before this one
 * left it. Valid only during the callback that received it. */
typedef struct oriel_method_body oriel_method_body;
/* Whether the profiler changes the method's code. As the filters above. */
typedef bool (*oriel_rewrite_filter_cb)(oriel_profiler* profiler, oriel_method* method);
/* Changes it. Called before the method is first compiled and whenever it is compiled anew, always from the code in the
 * metadata on; probes are put in after the last. Full context, but a thread that compiles the same method waits. Must
 * not throw; what it did before it threw does not count. */
typedef void (*oriel_rewriter_cb)(oriel_profiler* profiler, oriel_method* method, oriel_method_body* body);
/* Installs, replaces or (both NULL) takes away a profiler's rewriter. Setting it again has the methods that it chooses
 * compiled again; else as the filters above. */
ORIEL_API void oriel_profiler_set_rewriter_callbacks(oriel_profiler_handle handle, oriel_rewrite_filter_cb filter,
                                                     oriel_rewriter_cb rewriter);
/* The body's bytes as in ECMA-335 II.25.4: header, code and sections. Valid until the next call with this body. */
ORIEL_API const uint8_t* oriel_method_body_bytes(const oriel_method_body* body, size_t* size);
/* Takes a copy of these bytes as the method's body. They are checked first, for what the runtime would throw an
 * InvalidProgramException for: headers, branches, exception regions, depth of the stack, indexes of variables, tokens;
 * types are not. False: something is wrong, which was said on stderr with the method and the offset; the body stays as
 * it was. Line numbers in stack traces are found by offset, so that behind a change they may be those of other lines.
 */
ORIEL_API bool oriel_method_body_replace(oriel_method_body* body, const uint8_t* bytes, size_t size);

/* Whether filters have an effect in this process: whether its runtime's code can be changed. Any time; async-safe. */
ORIEL_API bool oriel_instrumentation_possible(void);

/* ---- Call context: what a method was given, and what it returns. In method_enter and method_leave callbacks of
 * methods whose filter asked for it (ORIEL_CALLS_*_CONTEXT), and in those of method_enter_full and method_leave_full;
 * valid until the callback returns. All of it is leaf-safe.
 *
 * FULL callbacks let the garbage collector run. What their context names itself, objects and what byrefs refer to,
 * stays where it is until they return, and so does the object of gc_allocation_full. Not so what these refer to in
 * turn: an object that is found in a field, in a struct or in a value of a generic parameter's type may be moved at any
 * moment, and must not be followed. Who wants to read further does so in a LEAF callback, which comes first:
 * method_enter before method_enter_full, and so on, on the same thread. */

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
  ORIEL_VALUE_STRUCT   /* a value type, spans and other ref structs included: `size` bytes at the address; also a value
                          whose type is a generic parameter, of which shared code knows the size alone */
} oriel_value_kind;

/* A value where it lies. `type` is as in signatures ("System.String", "ref int", "T"), for as long as the process. */
typedef struct oriel_value {
  oriel_value_kind kind;
  uint32_t size;
  const void* address;
  const char* type;
} oriel_value;

/* Each tells whether there is such a value, and which; false without a context. Positions count from 0 and leave out
 * `this`. Locals and the result are there on leave only, the result of a void method never. Of a value type's method,
 * `this` is the struct itself. */
ORIEL_API bool oriel_call_context_this(const void* context, oriel_value* value);
ORIEL_API bool oriel_call_context_argument(const void* context, uint32_t position, oriel_value* value);
ORIEL_API bool oriel_call_context_local(const void* context, uint32_t position, oriel_value* value);
ORIEL_API bool oriel_call_context_result(const void* context, oriel_value* value);
/* Copies of the values' bytes, for oriel_call_context_free_buffer to free; NULL where there is no such value. An object
 * that a copied reference refers to may move once the callback has returned. */
ORIEL_API void* oriel_call_context_get_this(const void* context);
ORIEL_API void* oriel_call_context_get_argument(const void* context, uint32_t position);
ORIEL_API void* oriel_call_context_get_local(const void* context, uint32_t position);
ORIEL_API void* oriel_call_context_get_result(const void* context);
ORIEL_API void oriel_call_context_free_buffer(void* buffer);

/* A field of an object by its name in metadata ("_uri", "<Name>k__BackingField"), its own or inherited. Looked up once
 * for each class and name. Only during the callback that received the object. */
ORIEL_API bool oriel_object_field(oriel_object* object, const char* name, oriel_value* value);
/* Writes a System.String as UTF-8, terminated, cut to what fits in `size`; returns how many bytes without the end, 0
 * for NULL. Only during the callback that received the object. */
ORIEL_API size_t oriel_object_text(oriel_object* object, char* buffer, size_t size);

/* ---- Coverage -------------------------------------------------------------------------------------------------- */

typedef enum oriel_coverage_mode {
  ORIEL_COVERAGE_HIT,  /* whether code ran: a store of one byte for each run of code, and where all of a method ran it
                          loses its probes again */
  ORIEL_COVERAGE_COUNT /* how often */
} oriel_coverage_mode;

/* The profiler wants to know which code runs of the methods that its coverage filter chooses. Where one profiler wants
 * counts, all get them. False, and nothing is counted for it, if the mode cannot be had: counts are wanted, and methods
 * have code already that only tells whether it ran. Any time; not async-safe. */
ORIEL_API bool oriel_enable_coverage(oriel_profiler_handle handle, oriel_coverage_mode mode);

/* Whether the profiler wants to know of a method which of its code runs. As the filters above; without one, none. What
 * ran before the filter was set is not known; what ran stays known when it is taken away. */
typedef bool (*oriel_coverage_filter_cb)(oriel_profiler* profiler, oriel_method* method);
ORIEL_API void oriel_profiler_set_coverage_filter_callback(oriel_profiler_handle handle,
                                                           oriel_coverage_filter_cb callback);

/* Counters lie in a file from now on, in the place of what an earlier process may have left there, so that what ran is
 * known also of a process that is killed; its name is that of the profiler's log and ".counters", by which the log's
 * readers find it. It is the profiler's to remove once what it says is in its log. One for a process, before managed
 * code runs. Returns 0; otherwise not 0, counters lie in memory, and `message` (if not NULL, `size` bytes, always
 * terminated) says why. Not async-safe. */
ORIEL_API int oriel_set_coverage_file(oriel_profiler_handle handle, const char* path, char* message, size_t size);

/* A place in a method's code. A run is code that was executed from its first instruction on, up to the next run, unless
 * an exception came that may come anywhere. Its file, line and column oriel_method_source tells who asks for them. */
#define ORIEL_NO_OUTCOME UINT32_MAX
typedef struct oriel_coverage_data {
  oriel_method* method;
  uint32_t il_offset; /* in the code that the metadata has: where a run begins, or of a branch or switch */
  uint32_t outcome; /* ORIEL_NO_OUTCOME of a run; of a branch or switch 0 it was taken, or case 0, 1 the next, …; the
                       last one: it fell through */
  uint64_t count;   /* how often; with ORIEL_COVERAGE_HIT 1 or 0 */
} oriel_coverage_data;
typedef void (*oriel_coverage_cb)(oriel_profiler* profiler, const oriel_coverage_data* data);
/* Calls `callback` (may be NULL) for each place of the method, by rising offset, runs before outcomes, with what ran
 * since the profiler's last reset, in all of the method's instantiations. False if nothing of the method is counted:
 * nobody's filter chose it, it has not been compiled since, its code cannot be changed, or another profiler has put
 * other code in its place. Without a method (NULL): of all methods, one after the other, those places that ran; false
 * if none did. Any time; not async-safe. */
ORIEL_API bool oriel_get_coverage_data(oriel_profiler_handle handle, oriel_method* method, oriel_coverage_cb callback);

/* Begins anew, for this profiler alone: nothing has run, from a moment on that no code of the program loses or doubles.
 * While `ended` (may be NULL) runs, oriel_get_coverage_data tells this profiler of the time until then, and what it
 * tells is in the file until `ended` returns. From the first reset of all on methods keep their probes; those that had
 * lost them get them back soon after, so reset once at the start where single tests are to be told apart. False, and
 * nothing has changed, without memory, or in `ended`. Any time; not async-safe. */
typedef void (*oriel_coverage_ended_cb)(oriel_profiler* profiler);
ORIEL_API bool oriel_coverage_reset(oriel_profiler_handle handle, oriel_coverage_ended_cb ended);

/* How methods fared. */
typedef enum oriel_instrumentation_outcome {
  ORIEL_INSTRUMENTED,
  ORIEL_NOT_INSTRUMENTED_NO_BODY,     /* no IL: native, abstract, made by the runtime, or a dynamic method */
  ORIEL_NOT_INSTRUMENTED_RESERVED,    /* code of the runtime's own that must stay as it is */
  ORIEL_NOT_INSTRUMENTED_UNSUPPORTED, /* varargs, runtime-async methods */
  ORIEL_NOT_INSTRUMENTED_REFUSED,     /* our own check refused the body, before or after the change */
  ORIEL_NOT_INSTRUMENTED_RUNTIME,     /* the runtime refused the change */
  ORIEL_INSTRUMENTATION_OUTCOMES
} oriel_instrumentation_outcome;
/* Bodies by outcome so far. Any time; async-safe. */
ORIEL_API void oriel_instrumentation_counts(uint64_t counts[ORIEL_INSTRUMENTATION_OUTCOMES]);
/* A fixed name for people ("instrumented", "no IL", …). Any time; async-safe. */
ORIEL_API const char* oriel_instrumentation_outcome_name(uint32_t outcome);

/* ---- Guests ---------------------------------------------------------------------------------------------------- */

/* Another profiler that shares the process with Oriel (docs/GUESTS.md). */
typedef struct oriel_guest {
  const char* name;           /* "libagent.so {CLSID}"; lives as long as the process */
  uint32_t interface_version; /* N of the newest ICorProfilerCallbackN that it has; 0: it could not be loaded */
  bool running;               /* false: it was left out, or has left */
  uint32_t mask_low;          /* what it asks the runtime for now, as SetEventMask2 takes it */
  uint32_t mask_high;
  uint64_t methods; /* whose bodies it changed so far */
  uint64_t ns; /* in its callbacks so far, of all threads together; ObjectAllocated and hooks at calls are not timed */
} oriel_guest;
/* The guests of the process, in their order. Fills in `max` of them at most, and returns how many there are; 0 without
 * memory, and before the runtime has started. Any thread, any time; not async-safe. */
ORIEL_API size_t oriel_guests(oriel_guest* guests, size_t max);
/* Adds one to the running program: "{CLSID}=PATH". It begins as by InitializeForAttach, hears what happens from then
 * on, and is refused what the runtime refuses a profiler that comes late. Returns 0, or 1 and one line to `message` (up
 * to `size` bytes with the ending 0): it cannot be loaded, does not want, or cannot come late; the program and the
 * others run on. What its library does while it is loaded, or how long it takes, is its own affair. Any thread that is
 * in no callback; not async-safe. */
ORIEL_API int oriel_guest_add(const char* description, char* message, size_t size);

/* ---- Sampling -------------------------------------------------------------------------------------------------- */

typedef enum oriel_sample_mode {
  ORIEL_SAMPLE_NONE,             /* no samples */
  ORIEL_SAMPLE_PROCESS,          /* each thread per CPU time it uses */
  ORIEL_SAMPLE_REAL,             /* all threads per real time, also those that wait */
  ORIEL_SAMPLE_PROCESS_AND_WAITS /* each thread per CPU time it uses; those that wait are looked at, at most
                                    ORIEL_WAIT_LOOKS times a second, and each look tells of all periods since the
                                    one before */
} oriel_sample_mode;

/* A thread that runs is sampled in a signal handler of its own, by timers on its CPU clock: as often as asked, up to
 * the kernel's tick (100 to 1,000 a second); above, each sample stands for several periods. A thread that waits is
 * never signalled, since many system calls would end early. Its sample_hit comes on a thread of the engine's, which
 * looks at it from outside, while it goes on waiting or wakes up. The same holds for both: only async-safe functions,
 * and nothing of the calling thread's own (thread_local, oriel_thread_current) says anything of the sampled thread;
 * oriel_sample_* do. Callbacks for one thread slot never run twice at once. */

/* Makes this profiler the owner of sampling; the first to call it is. Returns whether it is the owner. Any time. */
ORIEL_API bool oriel_enable_sampling(oriel_profiler_handle handle);

/* Sets mode and rate (samples a second of each thread, 1 to 10,000). Returns false, and changes nothing, if this
 * profiler is not the owner, the rate is out of range, or the process is ending. What is set is put in force soon after
 * on the engine's own thread; what was set when the engine started, before managed code runs. Should that fail, it is
 * said on stderr and the mode is ORIEL_SAMPLE_NONE. Any time; async-safe. */
ORIEL_API bool oriel_set_sample_mode(oriel_profiler_handle handle, oriel_sample_mode mode, uint32_t hz);

/* Tells mode and rate as last set, by whomever; NULL where not wanted. Returns whether this profiler is the owner, who
 * may set them. `handle` may be NULL. Any time; async-safe. */
ORIEL_API bool oriel_get_sample_mode(oriel_profiler_handle handle, oriel_sample_mode* mode, uint32_t* hz);

/* The most frames that a walk gives, and the highest rate. */
#define ORIEL_MAX_FRAMES 1024u
#define ORIEL_MAX_SAMPLE_HZ 10000u
/* How often a second at most ORIEL_SAMPLE_PROCESS_AND_WAITS looks at threads that wait. */
#define ORIEL_WAIT_LOOKS 20u

/* Writes the return addresses of the sampled thread's stack to `frames`, innermost first, frames[0] being the
 * instruction that runs next; returns how many. Managed and native frames alike; `*truncated` (may be NULL) says
 * whether the walk ended before the thread's start. The walk is made once a sample, whoever asks. Async-safe; only with
 * the context of a sample_hit callback that is running. */
ORIEL_API size_t oriel_stack_walk_async_safe(const void* context, uintptr_t* frames, size_t max, bool* truncated);

/* The calling thread's own stack from the caller of this function on, for callbacks in the program's own code: sets
 * `*frames` to its return addresses, innermost first, ORIEL_MAX_FRAMES at most, and returns how many; they are valid
 * until the thread's next call. Managed and native frames alike: what of the module and the runtime lies below the
 * first managed frame is for the caller to skip. `*truncated` (may be NULL) as above. About 20 ns a frame. The
 * call-frame information of libraries is read on the engine's own thread after the first call of all, so make one in
 * oriel_init_NAME; walks before that may break early. Any time; leaf-safe; not async-safe. */
ORIEL_API size_t oriel_stack_walk_here(const uintptr_t** frames, bool* truncated);

/* ---- Counters and activities ----------------------------------------------------------------------------------- */

/* Which meters (System.Diagnostics.Metrics) and providers of event counters the program is asked for, once a second,
 * for counter_value: their names with commas between them; "Microsoft.AspNetCore.*" is all meters whose names begin so;
 * an instrument of a meter stands behind a backslash. NULL or "": none, as at first. What several profilers want is
 * asked for together, and each hears all of it. The text is copied. Any time; not async-safe. */
ORIEL_API void oriel_set_meters(oriel_profiler_handle handle, const char* names);

/* From which sources (System.Diagnostics.ActivitySource) activities are wanted for activity_stopped: names with commas
 * between them, "*" for all, and database commands of Entity Framework Core then. Libraries make activities when
 * somebody listens: HttpClient adds a traceparent header to its requests. Else as above. */
ORIEL_API void oriel_set_activities(oriel_profiler_handle handle, const char* sources);

/* A small number for the sampled thread, below ORIEL_MAX_SAMPLED_THREADS, its own until it ends: an index for a
 * module's per-thread buffers. Async-safe; context as above. */
#define ORIEL_MAX_SAMPLED_THREADS 4096u
ORIEL_API uint32_t oriel_sample_thread_slot(const void* context);
/* The operating system's id of the sampled thread. Async-safe; context as above. */
ORIEL_API uint32_t oriel_sample_os_thread(const void* context);
/* When the sample was taken, as oriel_clock. Async-safe; context as above. */
ORIEL_API uint64_t oriel_sample_time(const void* context);
/* How many sampling periods this sample stands for: 1, or more where it took longer to come. Async-safe; as above. */
ORIEL_API uint32_t oriel_sample_periods(const void* context);
/* Whether the sampled thread's instruction had touched memory that the kernel had to bring in first (a page fault), and
 * most of the time since the sample before passed there. A system call is none: the instruction before the next one
 * tells of it. As near as the kernel tells the two apart, by its ticks: at rates below the tick's, of samples whose
 * periods have both, the larger part. False of a thread that waits. Async-safe; as above. */
ORIEL_API bool oriel_sample_in_page_fault(const void* context);
/* Whether the sampled thread waits: its periods are of real time, not of its CPU's. Async-safe; as above. */
ORIEL_API bool oriel_sample_is_waiting(const void* context);
/* The method that the sampled thread was compiling, the innermost of several. NULL if it was compiling none, if it
 * waits (oriel_sample_is_waiting), of a dynamic method that was not known before, and of a compilation that began
 * before samples or jit events were wanted. `*again` (may be NULL) says whether the method had code before: it is
 * compiled for another tier, for a loop that runs (on-stack replacement), or with probes or a rewriter's changes; false
 * with NULL. Async-safe; as above. */
ORIEL_API oriel_method* oriel_sample_compiled_method(const void* context, bool* again);

/* Why a sample was not taken, or not whole: of lost.def, ORIEL_LOST_REASONS in all. Those of a full buffer a module
 * counts itself; an ended thread's and a blocked signal's are counted when the thread, or sampling, ends; a stack is
 * broken or too deep (ORIEL_MAX_FRAMES) of a sample that was taken. */
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

/* Real time: how many times all threads that wait and were due have been looked at, and in how many nanoseconds; NULL
 * where not wanted. Where one took longer than a sampling period, looks had taken their share of a processor, 3 %: the
 * samples of waiting threads are then fewer and stand for more periods each. Any time; async-safe. */
ORIEL_API void oriel_sampling_looks(uint64_t* rounds, uint64_t* ns);

/* For how many nanoseconds sampled threads were ready to run and had no processor, all together: the run delay of
 * Linux' /proc/PID/task/TID/schedstat, which is no part of samples of threads that wait. 0 where the system does not
 * tell, and where threads that wait are not looked at. Any time; async-safe. */
ORIEL_API uint64_t oriel_sampling_ready_ns(void);

/* ---- Time ------------------------------------------------------------------------------------------------------ */

/* The engine's counter: the processor's time stamp where it runs at one rate, else monotonic nanoseconds. Readers turn
 * it into time by interpolating between pairs of it and the time of day. Any time; async-safe. */
ORIEL_API uint64_t oriel_clock(void);

/* ---- The runtime's things -------------------------------------------------------------------------------------- */

/* Ids are small, dense from 1, given in the order in which the engine first meets a thing, and never used again.
 * oriel_KIND_count is the highest id given so far; oriel_KIND_by_id is NULL beyond it. Any time; async-safe. */
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

/* Names. They may ask the runtime's metadata the first time, and remember the answer; strings live as long as the
 * process. Never NULL: what has no name says so in brackets. Any time outside gc and suspend callbacks; not async-safe.
 * Names of what is unloaded stay known. */
ORIEL_API const char* oriel_domain_name(oriel_domain* domain);
ORIEL_API const char* oriel_assembly_name(oriel_assembly* assembly); /* simple name: System.Private.CoreLib */
ORIEL_API const char* oriel_image_name(oriel_image* image);          /* file name without folder */
ORIEL_API const char* oriel_image_path(oriel_image* image);          /* "" for dynamic and in-memory images */
/* The portable PDB that was made with the image: its path where it was compiled and its id in 40 hexadecimal digits
 * (GUID and stamp, as they stand in the PDB). "" where the image names none. */
ORIEL_API const char* oriel_image_pdb_path(oriel_image* image);
ORIEL_API const char* oriel_image_pdb_id(oriel_image* image);
/* The GUID of the image's version (MVID) in 32 hexadecimal digits, its bytes as they stand in the metadata. "" where it
 * is not known. */
ORIEL_API const char* oriel_image_mvid(oriel_image* image);
ORIEL_API const char* oriel_class_name(oriel_class* klass); /* Namespace.Outer.Inner<System.Int32> */
/* As a person wrote it, with namespace, class, generic arguments and parameter types:
 * Shop.Cart.AddAsync(System.String, int) also for the method that really is Shop.Cart+<AddAsync>d__3.MoveNext(). */
ORIEL_API const char* oriel_method_name(oriel_method* method);
/* The same without namespace and class: AddAsync(System.String, int). */
ORIEL_API const char* oriel_method_short_name(oriel_method* method);
/* As metadata has it, with its class: Shop.Cart+<AddAsync>d__3.MoveNext(). */
ORIEL_API const char* oriel_method_raw_name(oriel_method* method);
/* The methodDef token of the code in the metadata of oriel_method_image: of <AddAsync>d__3.MoveNext, not of AddAsync. 0
 * for a dynamic method. */
ORIEL_API uint32_t oriel_method_token(oriel_method* method);
/* The class to show for a method: for <AddAsync>d__3.MoveNext it is Shop.Cart. NULL for a dynamic method. */
ORIEL_API oriel_class* oriel_method_class(oriel_method* method);
/* The image that a method's code is in. NULL for a dynamic method. Asks for no names where the engine knows it without.
 */
ORIEL_API oriel_image* oriel_method_image(oriel_method* method);
/* NULL where not known, as for a dynamic method or an array class. */
ORIEL_API oriel_image* oriel_class_image(oriel_class* klass);
ORIEL_API oriel_assembly* oriel_image_assembly(oriel_image* image);
/* Bytes of an instance on the heap, 0 where instances vary (arrays, strings) or it is not known. */
ORIEL_API uint32_t oriel_class_instance_size(oriel_class* klass);

/* The class of an object. Only during the callback that received the object. NULL where not known. */
ORIEL_API oriel_class* oriel_object_class(oriel_object* object);

/* The calling thread, made known on its first call; NULL in a process that has no more memory. Any time. */
ORIEL_API oriel_thread* oriel_thread_current(void);
/* Any time; async-safe. */
ORIEL_API uint32_t oriel_thread_os_id(const oriel_thread* thread);
ORIEL_API bool oriel_thread_is_managed(const oriel_thread* thread);
/* The thread that has, or last had, this OS id, made known if it was not; NULL without memory. Any time. */
ORIEL_API oriel_thread* oriel_thread_by_os_id(uint32_t os_id);
/* As the program named it, else as the system does (its comm), else "". Any time; not async-safe. */
ORIEL_API const char* oriel_thread_get_name(oriel_thread* thread);
/* Says that the calling thread is a profiler's own: it is not sampled. Any time. */
ORIEL_API void oriel_thread_attach_tools(void);

/* ---- Addresses ------------------------------------------------------------------------------------------------- */

typedef enum oriel_frame_kind {
  ORIEL_FRAME_UNKNOWN, /* no method and no library has it */
  ORIEL_FRAME_MANAGED, /* `method` is set */
  ORIEL_FRAME_NATIVE,  /* `library` is set, `symbol` where the library has symbols */
  ORIEL_FRAME_STUB     /* code that the runtime generated and that is no method: stubs, helpers */
} oriel_frame_kind;

typedef struct oriel_frame {
  oriel_frame_kind kind;
  oriel_method* method;
  const char* library; /* path of the file, "[vdso]"; NULL if none */
  const char* symbol;  /* demangled; NULL if none. Strings live as long as the process. */
  uintptr_t start; /* first address of the function, with or without a symbol; the library's load address where it is
                      not known where that begins, 0 if there is none */
} oriel_frame;

/* What an address of a sampled stack belonged to at the time `when` (oriel_clock; code that was freed since is
 * remembered). For a return address pass address - 1. Opens files for a moment, as for the first address in a
 * library. Any time outside gc and suspend callbacks; not async-safe. */
ORIEL_API void oriel_resolve_address(uintptr_t address, uint64_t when, oriel_frame* frame);

typedef struct oriel_native {
  const char* library;     /* as in oriel_frame */
  uintptr_t base;          /* an address less this is as linked: what debuggers and symbol files go by */
  const uint8_t* build_id; /* of build_id_size bytes; NULL if the library has none. Lives as long as the process. */
  size_t build_id_size;
  uintptr_t start; /* of the function, and its bytes; 0 where that is not known */
  size_t size;
} oriel_native;

/* The library that has, or last had, an address of code, and the function's place in it. False if none has. Times and
 * threads as oriel_resolve_address. */
ORIEL_API bool oriel_resolve_native(uintptr_t address, oriel_native* native);

/* Copies `size` bytes of code: of a library as its file has them, since it may be unloaded by now, else as they are in
 * memory. False if not all of them are there. Reads a file each time. Times and threads as oriel_resolve_address. */
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

/* The statement, or the part of one, that code was made of: what a compiler calls a sequence point. */
typedef struct oriel_source {
  const char* file;   /* its path as the compiler was told it, for as long as the process */
  uint32_t il_offset; /* where its code begins */
  uint32_t line;      /* from 1, as the others; the end is the character behind the last */
  uint32_t column;
  uint32_t end_line;
  uint32_t end_column;
  bool hidden; /* the compiler made the code at the offset up, for no line: this is the statement before it, or the
                  first of the method. Of coverage such code tells nothing */
} oriel_source;

/* Where in a source file the instruction at an offset of the method's IL comes from, as the metadata has that code: at
 * an offset of oriel_coverage_data, oriel_il_offset, async_site and so on. From the portable PDB that was made with the
 * image: beside it, where it was compiled, in a folder of symbols (_NT_SYMBOL_PATH, ~/.dotnet/symbolcache), or in the
 * image's file. It is read when its image is first asked about, on the calling thread, and kept as long as the image is
 * loaded. False where there is none on this machine (no PDB, or that of another build, or one of Windows' own kind, or
 * one of more than 256 MiB), of dynamic methods, and of methods without lines. Of an assembly that was loaded from
 * bytes the PDB is found where it was compiled or among symbols, not in memory. Any time outside gc and suspend
 * callbacks, in no LEAF callback; not async-safe. */
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
