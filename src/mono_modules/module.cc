// liboriel-mono.so as a module: one for each module of Mono, whose description is its argument.
#include <cstdio>
#include <exception>

#include "mono_modules/load.h"
#include "oriel/oriel.h"

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_mono() { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_mono(const char* description) {
  try {
    return oriel::mono_modules::load(description) ? 0 : 1;
  } catch (const std::exception&) {
    return 1;
  }
}

// For `oriel run`, before the program starts: writes what is wrong with the module, "" if nothing, into `message`,
// which is always terminated.
ORIEL_MODULE_EXPORT void oriel_mono_wrong_with(const char* description, char* message, size_t size) {
  try {
    snprintf(message, size, "%s", oriel::mono_modules::wrong_with(description).c_str());
  } catch (const std::exception&) {
    snprintf(message, size, "out of memory");
  }
}
