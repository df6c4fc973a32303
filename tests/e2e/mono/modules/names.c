/* A profiler module for Mono 6: writes the names of the methods that are compiled, and of the classes of the objects
 * that are allocated. */
#include <mono/metadata/class.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/image.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/object.h>
#include <mono/metadata/profiler.h>
#include <stdio.h>
#include <string.h>

struct _MonoProfiler {
  FILE* file;
};

static struct _MonoProfiler profiler;

static const char* image_of(MonoClass* klass) {
  MonoImage* image = klass ? mono_class_get_image(klass) : NULL;
  return image ? mono_image_get_name(image) : "no image";
}

static void compiled(MonoProfiler* self, MonoMethod* method, MonoJitInfo* code) {
  (void)code;
  MonoClass* klass = mono_method_get_class(method);
  char* full = mono_method_full_name(method, 1);
  char* brief = mono_method_full_name(method, 0);
  fprintf(self->file, "method\t%s\t%s\t%s\t%s\t%s\t%s\n", image_of(klass), full, brief, mono_method_get_name(method),
          klass ? mono_class_get_namespace(klass) : "none", klass ? mono_class_get_name(klass) : "none");
  mono_free(full);
  mono_free(brief);
}

static void allocated(MonoProfiler* self, MonoObject* object) {
  MonoClass* klass = mono_object_get_class(object);
  if (klass)
    fprintf(self->file, "class\t%s\t%s\t%s\n", image_of(klass), mono_class_get_namespace(klass),
            mono_class_get_name(klass));
}

static void end(MonoProfiler* self) { fflush(self->file); }

MONO_API void mono_profiler_init_names(const char* description);
void mono_profiler_init_names(const char* description) {
  profiler.file = fopen(strchr(description, ':') + 1, "w");
  MonoProfilerHandle handle = mono_profiler_create(&profiler);
  mono_profiler_enable_allocations();
  mono_profiler_set_jit_done_callback(handle, compiled);
  mono_profiler_set_gc_allocation_callback(handle, allocated);
  mono_profiler_set_runtime_shutdown_end_callback(handle, end);
}
