/* A profiler module for Mono 6 that does what Mono's own sample of a module does: it counts all calls, and prints the
 * number once the runtime has shut down. Nothing is included but the profiler's header. */
#include <mono/metadata/profiler.h>

struct _MonoProfiler {
  MonoProfilerHandle handle;
  unsigned long long calls;
};

static MonoProfiler profiler;

static void ended(MonoProfiler* self) { printf("%llu calls\n", self->calls); }

static void entered(MonoProfiler* self, MonoMethod* method, MonoProfilerCallContext* context) {
  (void)method, (void)context;
  __atomic_fetch_add(&self->calls, 1, __ATOMIC_RELAXED);
}

static MonoProfilerCallInstrumentationFlags choose(MonoProfiler* self, MonoMethod* method) {
  (void)self, (void)method;
  return MONO_PROFILER_CALL_INSTRUMENTATION_ENTER;
}

MONO_API void mono_profiler_init_entered(const char* description);
void mono_profiler_init_entered(const char* description) {
  (void)description;
  profiler.handle = mono_profiler_create(&profiler);
  mono_profiler_set_runtime_shutdown_end_callback(profiler.handle, ended);
  mono_profiler_set_call_instrumentation_filter_callback(profiler.handle, choose);
  mono_profiler_set_method_enter_callback(profiler.handle, entered);
}
