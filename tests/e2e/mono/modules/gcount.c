/* A profiler module for Mono 6: counts collections, exceptions, compiled methods, threads and allocated objects of a
 * class, and asks for what only Mono tells of. */
#include <mono/metadata/class.h>
#include <mono/metadata/profiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _MonoProfiler {
  const char* path;
  long started, ended, stopped, running, thrown, compiled, code, threads, nodes, resized;
};

static struct _MonoProfiler profiler;

static void add(long* to) { __atomic_fetch_add(to, 1, __ATOMIC_RELAXED); }

static void collected(MonoProfiler* self, MonoProfilerGCEvent event, uint32_t generation, mono_bool is_serial) {
  (void)generation, (void)is_serial;
  switch (event) {
    case MONO_GC_EVENT_PRE_STOP_WORLD:
      return add(&self->stopped);
    case MONO_GC_EVENT_START:
      return add(&self->started);
    case MONO_GC_EVENT_END:
      return add(&self->ended);
    case MONO_GC_EVENT_POST_START_WORLD:
      return add(&self->running);
    default:
      return;
  }
}
static void thrown(MonoProfiler* self, MonoObject* exception) {
  if (strcmp(mono_class_get_name(mono_object_get_class(exception)), "InvalidOperationException") == 0)
    add(&self->thrown);
}
static void compiled(MonoProfiler* self, MonoMethod* method, MonoJitInfo* code) {
  add(&self->compiled);
  MonoJitInfo* found = mono_jit_info_table_find(mono_domain_get(), (char*)mono_jit_info_get_code_start(code) + 1);
  if (found && mono_jit_info_get_method(found) == method && mono_jit_info_get_code_size(found) > 1) add(&self->code);
}
static void started(MonoProfiler* self, uintptr_t thread) {
  (void)thread;
  add(&self->threads);
}
static void allocated(MonoProfiler* self, MonoObject* object) {
  if (strcmp(mono_class_get_name(mono_object_get_class(object)), "Node") == 0) add(&self->nodes);
}
static void resized(MonoProfiler* self, uintptr_t size) {
  (void)size;
  add(&self->resized);
}

static void end(MonoProfiler* self) {
  FILE* out = fopen(self->path, "w");
  fprintf(
      out,
      "started %ld\nended %ld\nstopped %ld\nrunning %ld\nthrown %ld\ncompiled %ld\ncode %ld\nthreads %ld\nnodes %ld\n"
      "resized %ld\n",
      self->started, self->ended, self->stopped, self->running, self->thrown, self->compiled, self->code, self->threads,
      self->nodes, self->resized);
  fclose(out);
}

MONO_API void mono_profiler_init_gcount(const char* description);
void mono_profiler_init_gcount(const char* description) {
  profiler.path = strdup(strchr(description, ':') + 1);
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  mono_profiler_enable_allocations();
  mono_profiler_set_gc_event_callback(handle, collected);
  mono_profiler_set_exception_throw_callback(handle, thrown);
  mono_profiler_set_jit_done_callback(handle, compiled);
  mono_profiler_set_thread_started_callback(handle, started);
  mono_profiler_set_gc_allocation_callback(handle, allocated);
  mono_profiler_set_gc_resize_callback(handle, resized);
  mono_profiler_set_cleanup_callback(handle, end);
}
