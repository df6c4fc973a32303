/* A profiler module for Mono 6: asks for the calls of all methods, with their values if it is loaded as "all:values".
 */
#include <mono/metadata/profiler.h>
#include <string.h>

struct _MonoProfiler {
  long entered;
  int with_values;
};

static struct _MonoProfiler profiler;

static MonoProfilerCallInstrumentationFlags choose(MonoProfiler* self, MonoMethod* method) {
  (void)method;
  const int values =
      MONO_PROFILER_CALL_INSTRUMENTATION_ENTER_CONTEXT | MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE_CONTEXT;
  return (MonoProfilerCallInstrumentationFlags)(MONO_PROFILER_CALL_INSTRUMENTATION_ENTER |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE |
                                                (self->with_values ? values : 0));
}

static void enter(MonoProfiler* self, MonoMethod* method, MonoProfilerCallContext* context) {
  (void)method, (void)context;
  __atomic_fetch_add(&self->entered, 1, __ATOMIC_RELAXED);
}

void mono_profiler_init_all(const char* arguments) {
  profiler.with_values = strstr(arguments, ":values") != NULL;
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  if (profiler.with_values) mono_profiler_enable_call_context_introspection();
  mono_profiler_set_call_instrumentation_filter_callback(handle, choose);
  mono_profiler_set_method_enter_callback(handle, enter);
}
