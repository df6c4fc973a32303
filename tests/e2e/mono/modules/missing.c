/* A profiler module for Mono 6 that calls what only Mono has. */
#include <mono/metadata/mono-gc.h>
#include <mono/metadata/profiler.h>
#include <mono/metadata/threads.h>

void mono_profiler_init_missing(const char* description);
void mono_profiler_init_missing(const char* description) {
  (void)description;
  mono_profiler_create(0);
  if (mono_gc_get_used_size() < mono_gc_get_heap_size() && mono_gc_collection_count(0) > 0)
    if (mono_thread_current() != mono_thread_get_main()) mono_profiler_create(0);
}
