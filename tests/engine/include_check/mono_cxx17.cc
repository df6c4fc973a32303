// Compiling this in C++17 is the test.
#include <oriel/mono.h>

struct _MonoProfiler {
  long entered = 0;
};

MONO_API void mono_profiler_init_check_cxx(const char*) {
  static MonoProfiler profiler;
  const MonoProfilerHandle handle = mono_profiler_create(&profiler);
  mono_profiler_set_call_instrumentation_filter_callback(handle, [](MonoProfiler*, MonoMethod*) {
    return static_cast<MonoProfilerCallInstrumentationFlags>(MONO_PROFILER_CALL_INSTRUMENTATION_ENTER |
                                                             MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE);
  });
  mono_profiler_set_method_enter_callback(
      handle, [](MonoProfiler* self, MonoMethod*, MonoProfilerCallContext*) { ++self->entered; });
}
