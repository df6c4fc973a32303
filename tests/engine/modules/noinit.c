/* Has no function to start it. */
#include <oriel/oriel.h>

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_noinit(void) { return ORIEL_API_VERSION; }
