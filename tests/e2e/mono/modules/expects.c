/* A profiler module for Mono 6 with arguments, "expects:METHOD:NUMBER": it says whether the methods of that name were
 * called so often. Its state is on the heap. */
#include <mono/metadata/loader.h>
#include <mono/metadata/profiler.h>
#include <string.h>

#if MONO_PROFILER_API_VERSION < 2
#error "this is for the profiler API that Mono has since version 5.4"
#endif

struct _MonoProfiler {
  char* method;
  long expected, calls;
};

static void ended(MonoProfiler* self) {
  if (self->calls == self->expected)
    printf("%s: %ld calls, as expected\n", self->method, self->calls);
  else
    printf("%s: %ld calls, not %ld\n", self->method, self->calls, self->expected);
}

static void entered(MonoProfiler* self, MonoMethod* method, MonoProfilerCallContext* context) {
  (void)method, (void)context;
  self->calls++;
}

static MonoProfilerCallInstrumentationFlags choose(MonoProfiler* self, MonoMethod* method) {
  int is_it = strcmp(mono_method_get_name(method), self->method) == 0;
  return is_it ? MONO_PROFILER_CALL_INSTRUMENTATION_ENTER : MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
}

MONO_API void mono_profiler_init_expects(const char* description);
void mono_profiler_init_expects(const char* description) {
  MonoProfiler* self = (MonoProfiler*)calloc(1, sizeof(MonoProfiler));
  self->method = strdup(strchr(description, ':') + 1);
  char* number = strchr(self->method, ':');
  *number = 0;
  self->expected = atol(number + 1);
  MonoProfilerHandle handle = mono_profiler_create(self);
  mono_profiler_set_cleanup_callback(handle, ended);
  mono_profiler_set_call_instrumentation_filter_callback(handle, choose);
  mono_profiler_set_method_enter_callback(handle, entered);
}
