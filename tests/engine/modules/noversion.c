/* Does not say for which API version it is built. */
#include <oriel/oriel.h>

ORIEL_MODULE_EXPORT int oriel_init_noversion(const char* args) { return args == NULL; }
