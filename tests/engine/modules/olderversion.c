/* Built for the first API version; remembers how often it was started. */
#include <oriel/oriel.h>

ORIEL_MODULE_EXPORT int starts;
int starts;

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_olderversion(void) { return 1; }
ORIEL_MODULE_EXPORT int oriel_init_olderversion(const char* args) {
  ++starts;
  return args == NULL || oriel_profiler_create(NULL) == NULL;
}
