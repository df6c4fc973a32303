/* A profiler module for Mono 6: counts the calls of methods of a class with their names, adds up an argument and
 * results, and writes what it has to a file as the process ends. */
#include <mono/metadata/class.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/profiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

struct counted {
  char* name;
  long entered, left, thrown;
  long arguments, results;
};

struct _MonoProfiler {
  MonoProfilerHandle handle;
  const char* path;
  int lock;
  int used;
  struct counted methods[MOST];
};

static struct _MonoProfiler profiler;

static struct counted* of(MonoProfiler* self, MonoMethod* method) {
  char* name = mono_method_full_name(method, 1);
  struct counted* found = NULL;
  while (__atomic_exchange_n(&self->lock, 1, __ATOMIC_ACQUIRE)) {
  }
  for (int i = 0; i < self->used && !found; ++i)
    if (strcmp(self->methods[i].name, name) == 0) found = &self->methods[i];
  if (!found && self->used < MOST) {
    found = &self->methods[self->used++];
    found->name = strdup(name);
  }
  __atomic_store_n(&self->lock, 0, __ATOMIC_RELEASE);
  mono_free(name);
  return found;
}

static void add(long* to, long what) { __atomic_fetch_add(to, what, __ATOMIC_RELAXED); }

static MonoProfilerCallInstrumentationFlags choose(MonoProfiler* self, MonoMethod* method) {
  (void)self;
  const char* klass = mono_class_get_name(mono_method_get_class(method));
  if (strcmp(klass, "Recursion") != 0 && strcmp(klass, "Exceptions") != 0)
    return MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
  return (MonoProfilerCallInstrumentationFlags)(MONO_PROFILER_CALL_INSTRUMENTATION_ENTER |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_ENTER_CONTEXT |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE_CONTEXT |
                                                MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE);
}

static void enter(MonoProfiler* self, MonoMethod* method, MonoProfilerCallContext* context) {
  struct counted* counted = of(self, method);
  if (!counted) return;
  add(&counted->entered, 1);
  int* argument = (int*)mono_profiler_call_context_get_argument(context, 0);
  if (argument) add(&counted->arguments, *argument);
  mono_profiler_call_context_free_buffer(argument);
}

static void leave(MonoProfiler* self, MonoMethod* method, MonoProfilerCallContext* context) {
  struct counted* counted = of(self, method);
  if (!counted) return;
  add(&counted->left, 1);
  int* result = (int*)mono_profiler_call_context_get_result(context);
  if (result) add(&counted->results, *result);
  mono_profiler_call_context_free_buffer(result);
}

static void thrown(MonoProfiler* self, MonoMethod* method, MonoObject* exception) {
  (void)exception;
  struct counted* counted = of(self, method);
  if (counted) add(&counted->thrown, 1);
}

static void end(MonoProfiler* self) {
  FILE* out = fopen(self->path, "w");
  for (int i = 0; i < self->used; ++i) {
    struct counted* one = &self->methods[i];
    fprintf(out, "%s\t%ld\t%ld\t%ld\t%ld\t%ld\n", one->name, one->entered, one->left, one->thrown, one->arguments,
            one->results);
  }
  fclose(out);
}

MONO_API void mono_profiler_init_mcalls(const char* description);
void mono_profiler_init_mcalls(const char* description) {
  profiler.path = strdup(strchr(description, ':') + 1);
  profiler.handle = mono_profiler_create(&profiler);
  mono_profiler_enable_call_context_introspection();
  mono_profiler_set_call_instrumentation_filter_callback(profiler.handle, choose);
  mono_profiler_set_method_enter_callback(profiler.handle, enter);
  mono_profiler_set_method_leave_callback(profiler.handle, leave);
  mono_profiler_set_method_exception_leave_callback(profiler.handle, thrown);
  mono_profiler_set_runtime_shutdown_end_callback(profiler.handle, end);
}
