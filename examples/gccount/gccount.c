/* A complete profiler module: counts collections by generation and prints the counts to stderr when the process ends.
 * Use it: ORIEL_PROFILERS=/path/liboriel-gccount.so:label, or oriel run --module /path/liboriel-gccount.so:label */
#include <oriel/oriel.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct oriel_profiler {
  char label[64];
  atomic_uint collections[4];
};
static struct oriel_profiler gccount;

static void on_gc_begin(oriel_profiler* self, uint32_t number, uint32_t generation, oriel_gc_reason reason) {
  (void)number, (void)reason;
  atomic_fetch_add(&self->collections[generation < 3 ? generation : 3], 1);
}

static void on_cleanup(oriel_profiler* self) {
  fprintf(stderr, "%s: gen0 %u, gen1 %u, gen2 %u\n", self->label, atomic_load(&self->collections[0]),
          atomic_load(&self->collections[1]), atomic_load(&self->collections[2]));
}

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_gccount(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_gccount(const char* args) {
  strncpy(gccount.label, *args ? args : "gccount", sizeof gccount.label - 1);
  oriel_profiler_handle handle = oriel_profiler_create(&gccount);
  oriel_profiler_set_gc_begin_callback(handle, on_gc_begin);
  oriel_profiler_set_cleanup_callback(handle, on_cleanup);
  return 0;
}
