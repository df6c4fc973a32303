/* A module of Oriel's that writes the names in the metadata to the file PATH: of the methods that are compiled and of
 * the classes that declare them, and of the classes of objects and of the elements of these. */
#include <oriel/code.h>
#include <oriel/oriel.h>
#include <stdio.h>

static FILE* file;

static const char* raw_name(oriel_class* klass, char text[256]) {
  return oriel_class_raw_name(klass, text, 256) > 0 ? text : "none";
}

static void on_jit_done(oriel_profiler* self, oriel_method* method, const void* code, uint64_t size) {
  char text[256];
  fprintf(file, "method\t%s\t%s\n", raw_name(oriel_method_declaring_class(method), text),
          oriel_method_raw_name(method));
}

static void on_allocation(oriel_profiler* self, oriel_class* klass, uint64_t size, oriel_object* object,
                          oriel_method* site) {
  char text[256], element[256];
  fprintf(file, "class\t%s\t%s\n", raw_name(klass, text), raw_name(oriel_class_element(klass), element));
}

static bool all(oriel_profiler* self, oriel_method* method) { return true; }
static void end(oriel_profiler* self) { fflush(file); }

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_raws(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_raws(const char* path) {
  file = fopen(path, "w");
  if (!file) return 1;
  oriel_profiler_handle handle = oriel_profiler_create(NULL);
  oriel_profiler_set_jit_done_callback(handle, on_jit_done);
  oriel_profiler_set_full_allocation_filter_callback(handle, all);
  oriel_profiler_set_gc_allocation_full_callback(handle, on_allocation);
  oriel_profiler_set_cleanup_callback(handle, end);
  return 0;
}
