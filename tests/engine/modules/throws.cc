// Lets an exception out of its start.
#include <oriel/oriel.h>

#include <stdexcept>

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_throws(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_throws(const char*) { throw std::runtime_error("thrown by a module"); }
