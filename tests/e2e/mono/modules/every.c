/* A module that sets each callback of Mono's profiler API, by oriel/mono_events.def, and writes how often each came,
 * and why it does not come on CoreCLR. */
#include <oriel/mono.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct _MonoProfiler {
  const char* path;
};

static MonoProfiler profiler;

#define ORIEL_MONO_EVENT(name, type, parameters, why_not) \
  static long count_of_##name;                            \
  static void on_##name parameters { __atomic_fetch_add(&count_of_##name, self == &profiler, __ATOMIC_RELAXED); }
#include <oriel/mono_events.def>
#undef ORIEL_MONO_EVENT

static void write_row(FILE* out, const char* name, long count, const char* why_not) {
  fprintf(out, "%s\t%ld\t%s\n", name, count, why_not ? why_not : "");
}

static void end(MonoProfiler* self) {
  FILE* out = fopen(self->path, "w");
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) write_row(out, #name, count_of_##name, why_not);
#include <oriel/mono_events.def>
#undef ORIEL_MONO_EVENT
  fclose(out);
}

static MonoProfilerCallInstrumentationFlags choose(MonoProfiler* self, MonoMethod* method) {
  if (strcmp(mono_class_get_name(mono_method_get_class(method)), "Exceptions") != 0)
    return MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
  return (MonoProfilerCallInstrumentationFlags)(MONO_PROFILER_CALL_INSTRUMENTATION_ENTER |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE);
}

MONO_API void mono_profiler_init_every(const char* description);
void mono_profiler_init_every(const char* description) {
  profiler.path = strdup(strchr(description, ':') + 1);
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  mono_profiler_enable_allocations();
  mono_profiler_enable_clauses();
  if (mono_profiler_enable_sampling(handle))
    mono_profiler_set_sample_mode(handle, MONO_PROFILER_SAMPLE_MODE_PROCESS, 1000);
  mono_profiler_set_call_instrumentation_filter_callback(handle, choose);
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) mono_profiler_set_##name##_callback(handle, on_##name);
#include <oriel/mono_events.def>
#undef ORIEL_MONO_EVENT
  mono_profiler_set_cleanup_callback(handle, end);
}
