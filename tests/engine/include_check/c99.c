/* Compiling this in C99 is the test. */
#include <oriel/oriel.h>

static void on_gc(oriel_profiler* profiler, uint32_t number, uint32_t generation) {
  (void)profiler, (void)number, (void)generation;
}

int include_check_c99(void) {
  oriel_profiler_handle handle = oriel_profiler_create(NULL);
  oriel_profiler_set_gc_end_callback(handle, on_gc);
  return (int)oriel_event_counter(72);
}
