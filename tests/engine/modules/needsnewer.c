/* Needs a function that a newer engine may have. */
#include <oriel/oriel.h>

int oriel_function_to_come(void);

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_needsnewer(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_needsnewer(const char* args) { return args ? oriel_function_to_come() : 1; }
