#include "engine/modules.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/lifecycle.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

using VersionFunction = uint32_t (*)();
using InitFunction = int (*)(const char* args);

// Names of modules that are loaded or being loaded. Never destroyed: modules may load others while the process ends.
struct Registry {
  std::mutex lock;
  std::vector<std::string> names;

  // False if it is there already.
  bool claim(const std::string& name) {
    const std::lock_guard guard(lock);
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
    names.push_back(name);
    return true;
  }
  void release(const std::string& name) {
    const std::lock_guard guard(lock);
    std::erase(names, name);
  }
};

Registry& registry() {
  static Registry* const made = new Registry;
  return *made;
}

__attribute__((tls_model("initial-exec"))) constinit thread_local const void* load_running = nullptr;

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// NAME of "…/liboriel-NAME.so", empty if it is called otherwise.
std::string name_of_file(const std::string& path) {
  constexpr std::string_view kPrefix = "liboriel-", kSuffix = ".so";
  const std::string_view file = std::string_view(path).substr(path.rfind('/') + 1);
  if (file.size() <= kPrefix.size() + kSuffix.size() || !file.starts_with(kPrefix) || !file.ends_with(kSuffix)) {
    return "";
  }
  return std::string(file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size()));
}

// Where the path in a description ends: after the first ".so" that is followed by ':' or nothing.
size_t end_of_path(const std::string& description) {
  for (size_t at = description.find(".so"); at != std::string::npos; at = description.find(".so", at + 1)) {
    if (at + 3 == description.size() || description[at + 3] == ':') return at + 3;
  }
  return std::min(description.find(':'), description.size());
}

Result<ModuleSpec> parse_path(const std::string& description) {
  const size_t end = end_of_path(description);
  ModuleSpec spec;
  spec.path = description.substr(0, end);
  if (end < description.size()) spec.args = description.substr(end + 1);
  spec.name = name_of_file(spec.path);
  if (!is_name(spec.name)) {
    return Status::error("cannot load module '" + spec.path +
                         "': the file of a module is called liboriel-NAME.so (letters, digits and '_'); rename it");
  }
  return spec;
}

std::string engine_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&load_module), &info) || !info.dli_fname) return "";
  char* real = realpath(info.dli_fname, nullptr);
  const std::string path = real ? real : info.dli_fname;
  free(real);
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<std::string> search_folders() {
  std::vector<std::string> folders{engine_folder()};
  folders.push_back(folders.front() + "/oriel");
  if (const char* more = getenv("ORIEL_MODULE_PATH")) {
    for (std::string& folder : split(more, ':')) folders.push_back(std::move(folder));
  }
  return folders;
}

Result<std::string> find_file(const ModuleSpec& spec) {
  if (!spec.path.empty()) {
    if (access(spec.path.c_str(), F_OK) == 0) return spec.path;
    return Status::error("cannot load module '" + spec.name + "': there is no file " + spec.path + "; check the path");
  }
  std::string looked;
  for (const std::string& folder : search_folders()) {
    const std::string path = folder + "/liboriel-" + spec.name + ".so";
    if (access(path.c_str(), F_OK) == 0) return path;
    looked += (looked.empty() ? "" : ", ") + folder;
  }
  return Status::error("cannot find module '" + spec.name + "': no liboriel-" + spec.name + ".so in " + looked +
                       "; check the name, give the path, or name its folder in ORIEL_MODULE_PATH");
}

Status check_version(void* library, const ModuleSpec& spec, const std::string& path) {
  const std::string symbol = "oriel_api_version_" + spec.name;
  const auto version = reinterpret_cast<VersionFunction>(dlsym(library, symbol.c_str()));
  if (!version) {
    return Status::error(
        "cannot load module '" + spec.name + "' (" + path + "): it does not export " + symbol +
        ", so it is no Oriel module of that name; rebuild it with ORIEL_MODULE_EXPORT on that function");
  }
  const uint32_t theirs = version();
  if (theirs == ORIEL_API_VERSION) return Status::ok();
  return Status::error("cannot load module '" + spec.name + "' (" + path + "): it is built for API version " +
                       std::to_string(theirs) + " and this engine (" + oriel_version() + ") speaks version " +
                       std::to_string(ORIEL_API_VERSION) + "; rebuild it with this engine's headers");
}

// What is wrong with how its oriel_init_NAME ended, "" if nothing. Its profilers carry `args` as their load.
std::string call_init(InitFunction init, const char* args) {
  const void* const outer = load_running;
  load_running = args;
  std::string problem;
  try {
    const int result = init(args);
    if (result != 0) problem = "returned " + std::to_string(result) + "; check the arguments";
  } catch (...) {
    problem = "threw an exception; that is a fault in the module, none may leave it";
  }
  load_running = outer;
  return problem;
}

Status init_module(void* library, const ModuleSpec& spec, const std::string& path) {
  const std::string symbol = "oriel_init_" + spec.name;
  const auto init = reinterpret_cast<InitFunction>(dlsym(library, symbol.c_str()));
  if (!init) {
    return Status::error("cannot load module '" + spec.name + "' (" + path + "): it does not export " + symbol +
                         "; rebuild it with ORIEL_MODULE_EXPORT on that function");
  }
  // A copy of its own, never freed: the address tells this load from others, and a module may keep the pointer.
  const auto* args = new std::string(spec.args);
  const std::string problem = call_init(init, args->c_str());
  if (problem.empty()) return Status::ok();
  remove_callbacks_of(args->c_str());
  disown_sampling_of(args->c_str());
  return Status::error("module '" + spec.name + "' (" + path + ") refused to start with arguments '" + spec.args +
                       "': its " + symbol + " " + problem);
}

Status open_module(const ModuleSpec& spec) {
  const Result<std::string> path = find_file(spec);
  if (!path) return path.status();
  dlerror();
  void* const library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = dlerror();
    return Status::error("cannot load module '" + spec.name + "': " + (reason ? reason : "unknown error") +
                         "; rebuild the module or install what it needs");
  }
  // A refused module stays mapped: its start-up code has run and may have left pointers to itself anywhere.
  if (Status status = check_version(library, spec, *path); !status) return status;
  return init_module(library, spec, *path);
}

}  // namespace

Result<ModuleSpec> parse_module(const std::string& description) {
  const size_t colon = std::min(description.find(':'), description.size());
  const std::string head = description.substr(0, colon);
  if (head.find('/') != std::string::npos) return parse_path(description);
  if (!name_of_file(head).empty()) {
    return Status::error("cannot load module '" + head + "': name a file with its folder, as ./" + head +
                         ", or only the module, as " + name_of_file(head));
  }
  if (!is_name(head)) {
    return Status::error(
        "cannot load module '" + head +
        "': a module's name is letters, digits and '_'; write NAME:args or /path/liboriel-NAME.so:args");
  }
  ModuleSpec spec;
  spec.name = head;
  if (colon < description.size()) spec.args = description.substr(colon + 1);
  return spec;
}

Status load_module(const std::string& description) {
  const Result<ModuleSpec> spec = parse_module(description);
  if (!spec) return spec.status();
  if (is_ending()) {
    return Status::error("cannot load module '" + spec->name + "': the process is ending; load it earlier");
  }
  if (!registry().claim(spec->name)) return Status::ok();
  try {
    Status status = open_module(*spec);
    if (!status) registry().release(spec->name);
    return status;
  } catch (...) {  // out of memory: it may be tried again
    registry().release(spec->name);
    throw;
  }
}

void load_modules_of_environment() {
  const char* const wanted = getenv("ORIEL_PROFILERS");
  if (!wanted) return;
  for (const std::string& description : split(wanted, ';')) {
    if (Status status = load_module(description); !status) warn(status.message().c_str());
  }
}

const void* current_load() { return load_running; }

}  // namespace oriel
