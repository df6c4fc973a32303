// A built-in module's interface to the engine.
#pragma once

#include "base/status.h"
#include "oriel/oriel.h"

// ORIEL_BUILT_IN_MODULE(log, oriel::logging::start, "nothing is logged"): the two functions of a module's API, around
//   oriel::Status start(const std::string& args)
// whose error message is printed. `consequence` is appended to the message if there is no memory.
#define ORIEL_BUILT_IN_MODULE(name, start, consequence)                                     \
  ORIEL_MODULE_EXPORT uint32_t oriel_api_version_##name(void) { return ORIEL_API_VERSION; } \
  ORIEL_MODULE_EXPORT int oriel_init_##name(const char* args) {                             \
    return oriel::modules::init_module(start, args, #name ": out of memory; " consequence); \
  }

namespace oriel::modules {

// The result of oriel_init_NAME. `args` may be NULL.
int init_module(Status (*start)(const std::string& args), const char* args, const char* out_of_memory) noexcept;

}  // namespace oriel::modules
