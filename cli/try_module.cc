#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "locate.h"
#include "oriel/oriel.h"
#include "tried.h"

namespace oriel::cli {
namespace {

std::string last_load_error() {
  const char* message = dlerror();
  return message ? message : "unknown error";
}

// What is wrong with the module; "" if nothing.
std::string inspect(const ModuleRequest& module, const std::string& engine) {
  if (!dlopen(engine.c_str(), RTLD_NOW | RTLD_GLOBAL)) return "the engine cannot be loaded: " + last_load_error();
  void* library = dlopen(module.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return "it cannot be loaded: " + last_load_error();
  const std::string version_name = "oriel_api_version_" + module.name;
  const std::string init_name = "oriel_init_" + module.name;
  void* version = dlsym(library, version_name.c_str());
  if (!version) return fmt::format("it does not export {}; is it an Oriel module?", version_name);
  if (!dlsym(library, init_name.c_str()))
    return fmt::format("it does not export {}; is it an Oriel module?", init_name);
  const uint32_t built_for = reinterpret_cast<uint32_t (*)()>(version)();
  if (built_for == ORIEL_API_VERSION) return "";
  return fmt::format("it is built for API version {}, this Oriel speaks version {}; build it against these headers",
                     built_for, ORIEL_API_VERSION);
}

}  // namespace

Status try_module(const ModuleRequest& module, const std::string& engine) {
  constexpr std::chrono::seconds kPatience(60);
  Status status = tried_in_child([&] { return inspect(module, engine); }, kPatience);
  if (status) return status;
  return Status::error(fmt::format("module '{}' ({}): {}", module.name, module.file, status.message()));
}

}  // namespace oriel::cli
