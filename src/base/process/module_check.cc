#include "base/process/module_check.h"

#include <dlfcn.h>

#include <string_view>

#include "base/files/input_file.h"
#include "base/process/imports.h"

namespace oriel {
namespace {

// Functions whose arguments changed: modules built for an older version call them wrongly.
struct ChangedFunction {
  const char* name;
  uint32_t since;  // the API version that introduced the present arguments
};
constexpr ChangedFunction kChangedFunctions[] = {{"oriel_get_sample_mode", 2}};

std::string wrong_with_version(void* library, uint32_t theirs, uint32_t speaks, const std::string& version) {
  const std::string built = "it is built for API version " + std::to_string(theirs);
  if (theirs > speaks) {
    return built + " and this engine (" + version + ") speaks versions 1 to " + std::to_string(speaks) +
           "; update Oriel, or rebuild the module with this engine's headers";
  }
  if (theirs == 0) return built + ", which never existed; let its version function return ORIEL_API_VERSION";
  for (const ChangedFunction& changed : kChangedFunctions)
    if (theirs < changed.since && imports_function(library, changed.name)) {
      return built + " and calls " + changed.name + ", which takes other arguments since version " +
             std::to_string(changed.since) + "; rebuild it with this engine's headers";
    }
  return "";
}

// In two parts: Oriel's own libraries have this text too.
bool names_profiler_of_mono(const std::string& bytes) {
  constexpr std::string_view kFront("\0mono_", 6), kRest = "profiler_";  // as in a string table
  for (size_t at = bytes.find(kFront); at != std::string::npos; at = bytes.find(kFront, at + 1)) {
    if (bytes.compare(at + kFront.size(), kRest.size(), kRest) == 0) return true;
  }
  return false;
}

// "Error relocating FILE: SYMBOL: symbol not found".
std::string missing_symbol_by_musl(const std::string& reason) {
  const size_t end = reason.find(": symbol not found");
  const size_t before = end == std::string::npos || end == 0 ? end : reason.rfind(' ', end - 1);
  return before == std::string::npos || end == 0 ? "" : reason.substr(before + 1, end - before - 1);
}

}  // namespace

std::string missing_symbol(const std::string& reason) {
  constexpr const char kWords[] = "undefined symbol: ";
  const size_t at = reason.find(kWords);
  if (at == std::string::npos) return missing_symbol_by_musl(reason);
  const size_t begin = at + sizeof kWords - 1;
  return reason.substr(begin, reason.find_first_of(" ,\t\n", begin) - begin);
}

std::string said_of_mono(const std::string& path) {
  constexpr uint64_t kMost = uint64_t{64} << 20;
  const Result<std::string> bytes = read_input_text(path, kMost);
  if (!bytes ||
      !bytes->starts_with("\x7f"
                          "ELF") ||
      !names_profiler_of_mono(*bytes))
    return "";
  return "it is a profiler for Mono; call its file libmono-profiler-NAME.so, by which it is known as one "
         "(\"Coming from Mono\" in docs/API.md)";
}

std::string wrong_with_module(void* library, const std::string& path, const std::string& name, uint32_t speaks,
                              const std::string& version) {
  const std::string version_name = "oriel_api_version_" + name;
  const std::string init_name = "oriel_init_" + name;
  const auto built_for = reinterpret_cast<uint32_t (*)()>(dlsym(library, version_name.c_str()));
  if (built_for == nullptr) {
    if (std::string said = said_of_mono(path); !said.empty()) return said;
    return "it does not export " + version_name +
           ", so it is not an Oriel module of that name; rebuild it with ORIEL_MODULE_EXPORT on that function";
  }
  if (dlsym(library, init_name.c_str()) == nullptr)
    return "it does not export " + init_name + "; rebuild it with ORIEL_MODULE_EXPORT on that function";
  return wrong_with_version(library, built_for(), speaks, version);
}

std::string wrong_with_loading(const std::string& path, const std::string& reason) {
  if (std::string said = said_of_mono(path); !said.empty()) return said;
  if (missing_symbol(reason).starts_with("oriel_"))
    return reason +
           "; the module is not linked with liboriel (pkg-config --libs oriel), or it is built for a newer Oriel";
  return reason + "; rebuild the module or install what it needs";
}

}  // namespace oriel
