/* Loads; remembers how often it was started and with which arguments. Built twice, as "fine" and as "second". */
#include <oriel/oriel.h>
#include <stdio.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VERSION_FUNCTION PASTE(oriel_api_version_, MODULE)
#define INIT_FUNCTION PASTE(oriel_init_, MODULE)

ORIEL_MODULE_EXPORT int starts;
ORIEL_MODULE_EXPORT char last_args[256];
int starts;
char last_args[256];

ORIEL_MODULE_EXPORT uint32_t VERSION_FUNCTION(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int INIT_FUNCTION(const char* args) {
  ++starts;
  snprintf(last_args, sizeof last_args, "%s", args);
  return oriel_profiler_create(NULL) ? 0 : 1;
}
