/* Built for an API version that never was. */
#include <oriel/oriel.h>

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_zeroversion(void) { return 0; }
ORIEL_MODULE_EXPORT int oriel_init_zeroversion(const char* args) { return args == NULL; }
