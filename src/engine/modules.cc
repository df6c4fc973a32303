#include "engine/modules.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "base/process/module_check.h"
#include "base/process/module_spec.h"
#include "base/text/words.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/lifecycle.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

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

std::string engine_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&load_module), &info) || !info.dli_fname) return "";
  char* real = realpath(info.dli_fname, nullptr);
  const std::string path = real ? real : info.dli_fname;
  free(real);
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Result<std::string> find_file(const ModuleSpec& spec) {
  const char* const module_path = getenv("ORIEL_MODULE_PATH");
  return find_module_file(spec, module_folders(engine_folder(), module_path ? module_path : ""));
}

// What is wrong with the result of oriel_init_NAME, "" if nothing. Its profilers get `args` as their load.
std::string call_init(InitFunction init, const char* args) {
  const void* const outer = load_running;
  load_running = args;
  std::string problem;
  try {
    const int result = init(args);
    if (result != 0) problem = "returned " + std::to_string(result) + "; check the arguments";
  } catch (...) {
    problem = "threw an exception; this is a bug in the module, whose exceptions must not escape";
  }
  load_running = outer;
  return problem;
}

Status init_module(void* library, const ModuleSpec& spec, const std::string& path) {
  const std::string symbol = "oriel_init_" + spec.name;
  const auto init = reinterpret_cast<InitFunction>(dlsym(library, symbol.c_str()));
  // A separate copy, never freed: its address identifies this load, and a module may keep the pointer.
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
    return Status::error("cannot load module '" + spec.name +
                         "': " + wrong_with_loading(*path, reason ? reason : "unknown error"));
  }
  // A refused module stays mapped: its static constructors have run and may have left pointers to it anywhere.
  const std::string wrong = wrong_with_module(library, *path, spec.name, ORIEL_API_VERSION, oriel_version());
  if (!wrong.empty()) return Status::error("cannot load module '" + spec.name + "' (" + *path + "): " + wrong);
  return init_module(library, spec, *path);
}

}  // namespace

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
  } catch (...) {  // out of memory: it may be loaded again later
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
