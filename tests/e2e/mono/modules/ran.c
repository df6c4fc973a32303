/* A profiler module for Mono 6 that counts what ran of a class's methods: for each method how often its first place
 * ran, how many places it has, and how many of them ran. */
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/profiler.h>
#include <string.h>

#define MOST 64

struct _MonoProfiler {
  MonoProfilerHandle handle;
  const char* path;
  int used;
  MonoMethod* methods[MOST];
  uint32_t first, places, ran;
};

static MonoProfiler profiler;

static mono_bool choose(MonoProfiler* self, MonoMethod* method) {
  if (strcmp(mono_class_get_name(mono_method_get_class(method)), "Exceptions") != 0) return 0;
  for (int i = 0; i < self->used; ++i)
    if (self->methods[i] == method) return 1;
  if (self->used < MOST) self->methods[self->used++] = method;
  return 1;
}

static void take(MonoProfiler* self, const MonoProfilerCoverageData* data) {
  if (self->places++ == 0) self->first = data->counter;
  if (data->counter > 0) self->ran++;
}

static void end(MonoProfiler* self) {
  FILE* out = fopen(self->path, "w");
  for (int i = 0; i < self->used; ++i) {
    self->first = self->places = self->ran = 0;
    if (!mono_profiler_get_coverage_data(self->handle, self->methods[i], take)) continue;
    char* name = mono_method_full_name(self->methods[i], 0);
    fprintf(out, "%s\t%u\t%u\t%u\n", name, self->first, self->places, self->ran);
    mono_free(name);
  }
  fclose(out);
}

MONO_API void mono_profiler_init_ran(const char* description);
void mono_profiler_init_ran(const char* description) {
  profiler.path = strdup(strchr(description, ':') + 1);
  profiler.handle = mono_profiler_create(&profiler);
  if (!mono_profiler_enable_coverage()) return;
  mono_profiler_set_coverage_filter_callback(profiler.handle, choose);
  mono_profiler_set_runtime_shutdown_begin_callback(profiler.handle, end);
}
