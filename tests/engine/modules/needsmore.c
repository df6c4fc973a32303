/* Needs a function that nobody has. */
#include <oriel/oriel.h>

int function_that_nobody_has(void);

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_needsmore(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_needsmore(const char* args) { return args ? function_that_nobody_has() : 1; }
