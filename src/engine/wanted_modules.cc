#include "engine/wanted_modules.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace oriel {
namespace {

constexpr size_t kMostText = 64 * 1024;

// The library (src/libsettings) stays loaded: what it has is small, and unloading C++ code is not worth its risks.
Result<WantedModules> of_settings(const std::string& file, const std::string& engine_folder) {
  using Read = int(const char*, char*, size_t, int*, int*);
  const std::string library = engine_folder + "/liboriel-settings.so";
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* const read = opened ? reinterpret_cast<Read*>(dlsym(opened, "oriel_settings_read")) : nullptr;
  if (!read) {
    const char* const reason = dlerror();
    return Status::error("the settings " + file + " cannot be read: " + (reason ? reason : library) +
                         "; install Oriel again");
  }
  std::string text(kMostText, '\0');
  int paused = 0, no_redact = 0;
  const bool done = read(file.c_str(), text.data(), text.size(), &paused, &no_redact) == 0;
  text.resize(std::strlen(text.c_str()));
  if (!done) return Status::error(text);
  return WantedModules{text, paused != 0, no_redact != 0};
}

// "" if there is none.
std::string settings_file(const std::string& engine_folder) {
  if (const char* const named = getenv("ORIEL_CONFIG")) return named;
  const std::string file = engine_folder + "/oriel.json";
  return access(file.c_str(), F_OK) == 0 ? file : "";
}

}  // namespace

Result<WantedModules> wanted_modules(const std::string& engine_folder) {
  if (const char* const given = getenv("ORIEL_PROFILERS")) {
    const char* const paused = getenv("ORIEL_PAUSED");
    return WantedModules{given, paused && std::strcmp(paused, "1") == 0};
  }
  const std::string file = settings_file(engine_folder);
  return file.empty() ? WantedModules() : of_settings(file, engine_folder);
}

bool is_told_of_modules(const std::string& engine_folder) {
  return getenv("ORIEL_PROFILERS") || !settings_file(engine_folder).empty();
}

}  // namespace oriel
