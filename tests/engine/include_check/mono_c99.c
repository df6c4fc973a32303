/* Compiling this in C99 is the test. */
#include <oriel/mono.h>

struct _MonoProfiler {
  long collections;
};

static void on_gc(MonoProfiler* self, MonoProfilerGCEvent event, uint32_t generation, mono_bool is_serial) {
  (void)generation, (void)is_serial;
  self->collections += event == MONO_GC_EVENT_START;
}

MONO_API void mono_profiler_init_check(const char* description);
void mono_profiler_init_check(const char* description) {
  static MonoProfiler profiler;
  (void)description;
  mono_profiler_set_gc_event_callback(mono_profiler_create(&profiler), on_gc);
}
