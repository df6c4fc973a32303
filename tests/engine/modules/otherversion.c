/* Built for an API version to come. */
#include <oriel/oriel.h>

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_otherversion(void) { return 99; }
ORIEL_MODULE_EXPORT int oriel_init_otherversion(const char* args) { return args == NULL; }
