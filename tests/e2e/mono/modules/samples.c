/* A profiler module for Mono 6: in the handler of samples it looks up whose code runs, and walks the stack. Mono itself
   ends the program if it is asked there for the method of precompiled code that it has not met yet: it is asked at the
   end. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/profiler.h>
#include <stdio.h>
#include <string.h>

#define MOST 4096

typedef mono_bool (*Walk)(MonoMethod* method, MonoDomain* domain, void* start, int offset, void* data);
MONO_API void mono_stack_walk_async_safe(Walk take, void* context, void* data);

struct _MonoProfiler {
  const char* path;
  long samples, frames, nameless;
  int used, asks_at_once;
  MonoMethod* methods[MOST];
  void* starts[MOST];
};

static struct _MonoProfiler profiler;

static mono_bool take(MonoMethod* method, MonoDomain* domain, void* start, int offset, void* data) {
  (void)domain, (void)start, (void)offset;
  MonoProfiler* self = (MonoProfiler*)data;
  __atomic_fetch_add(&self->frames, 1, __ATOMIC_RELAXED);
  if (method && !*mono_method_get_name(method)) __atomic_fetch_add(&self->nameless, 1, __ATOMIC_RELAXED);
  return 0;
}

static void hit(MonoProfiler* self, const mono_byte* ip, const void* context) {
  __atomic_fetch_add(&self->samples, 1, __ATOMIC_RELAXED);
  MonoJitInfo* code = mono_jit_info_table_find(mono_domain_get(), (char*)ip);
  int at = code ? __atomic_fetch_add(&self->used, 1, __ATOMIC_RELAXED) : MOST;
  if (at < MOST) self->starts[at] = mono_jit_info_get_code_start(code);
  if (at < MOST && self->asks_at_once) self->methods[at] = mono_jit_info_get_method(code);
  mono_stack_walk_async_safe(take, (void*)context, self);
}

static void end(MonoProfiler* self) {
  FILE* out = fopen(self->path, "w");
  fprintf(out, "%ld samples, %ld frames, %ld nameless\n", self->samples, self->frames, self->nameless);
  for (int i = 0; i < self->used && i < MOST; ++i) {
    MonoMethod* method = self->methods[i];
    if (!self->asks_at_once) {
      MonoJitInfo* code = mono_jit_info_table_find(mono_domain_get(), (char*)self->starts[i]);
      method = code ? mono_jit_info_get_method(code) : NULL;
    }
    if (method) fprintf(out, "%s\n", mono_method_full_name(method, 0));
  }
  fclose(out);
}

MONO_BEGIN_DECLS
void mono_profiler_init_samples(const char* description);
MONO_END_DECLS

void mono_profiler_init_samples(const char* description) {
  profiler.asks_at_once = dlsym(RTLD_DEFAULT, "mono_jit_exec") == NULL;
  profiler.path = strdup(strchr(description, ':') + 1);
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  if (!mono_profiler_enable_sampling(handle)) return;
  mono_profiler_set_sample_mode(handle, MONO_PROFILER_SAMPLE_MODE_PROCESS, 1000);
  mono_profiler_set_sample_hit_callback(handle, hit);
  mono_profiler_set_runtime_shutdown_begin_callback(handle, end);
}
