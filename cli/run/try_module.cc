#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/process/module_check.h"
#include "base/version.h"
#include "locate.h"
#include "oriel/oriel.h"
#include "run/run_in_child.h"

namespace oriel::cli {
namespace {

std::string last_load_error() {
  const char* message = dlerror();
  return message ? message : "unknown error";
}

// What is wrong with the module; "" if nothing.
std::string inspect(const ModuleRequest& module, const std::string& engine) {
  if (!dlopen(engine.c_str(), RTLD_NOW | RTLD_LOCAL)) return "the engine cannot be loaded: " + last_load_error();
  void* library = dlopen(module.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const std::string reason = last_load_error();
    const std::string of_mono = said_of_mono(module.file);
    return of_mono.empty() ? "it cannot be loaded: " + wrong_with_loading(module.file, reason) : of_mono;
  }
  return wrong_with_module(library, module.file, module.name, ORIEL_API_VERSION, version_text());
}

}  // namespace

Status try_module(const ModuleRequest& module, const std::string& engine) {
  constexpr std::chrono::seconds kPatience(60);
  Status status = run_in_child([&] { return inspect(module, engine); }, kPatience);
  if (status) return status;
  return Status::error(fmt::format("module '{}' ({}): {}", module.name, module.file, status.message()));
}

}  // namespace oriel::cli
