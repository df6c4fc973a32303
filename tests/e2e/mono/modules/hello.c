/* The smallest profiler module for Mono 6, as Mono's documentation has one: it says once that the runtime is up. */
#include <mono/metadata/profiler.h>
#include <stdio.h>

struct _MonoProfiler {
  int unused;
};

static MonoProfiler profiler;

static void runtime_is_up(MonoProfiler* self) {
  if (self == &profiler) printf("the runtime is up\n");
}

void mono_profiler_init_hello(const char* description);
void mono_profiler_init_hello(const char* description) {
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  mono_profiler_set_runtime_initialized_callback(handle, runtime_is_up);
  (void)description;
}
