#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/process/module_check.h"
#include "base/process/module_spec.h"
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

// The library that loads modules for Mono knows what they may call.
std::string wrong_with_mono_module(void* library, const std::string& description) {
  using Ask = void(const char*, char*, size_t);
  auto* const ask = reinterpret_cast<Ask*>(dlsym(library, "oriel_mono_wrong_with"));
  char message[1024] = "this Oriel's liboriel-mono.so is of another version; install Oriel again";
  if (ask) ask(description.c_str(), message, sizeof message);
  return message;
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
  std::string wrong = wrong_with_module(library, module.file, module.entry, ORIEL_API_VERSION, version_text());
  if (wrong.empty() && module.is_of_mono()) wrong = wrong_with_mono_module(library, module.args);
  return wrong;
}

}  // namespace

Status try_module(const ModuleRequest& module, const std::string& engine) {
  constexpr std::chrono::seconds kPatience(60);
  Status status = run_in_child([&] { return inspect(module, engine); }, kPatience);
  if (status) return status;
  const std::string file = module.is_of_mono() ? mono_module(module.args).file : module.file;
  return Status::error(fmt::format("module '{}' ({}): {}", module.name, file, status.message()));
}

}  // namespace oriel::cli
