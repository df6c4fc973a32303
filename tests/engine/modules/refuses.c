/* Sets a callback, takes sampling, then finds fault with its arguments. */
#include <oriel/oriel.h>

static void on_domain_loaded(oriel_profiler* profiler, oriel_domain* domain) { (void)profiler, (void)domain; }

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_refuses(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_refuses(const char* args) {
  oriel_profiler_handle handle = oriel_profiler_create(NULL);
  oriel_profiler_set_domain_loaded_callback(handle, on_domain_loaded);
  oriel_enable_sampling(handle);
  return args == NULL ? 0 : 7;
}
