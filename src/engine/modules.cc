#include "engine/modules.h"

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/process/foreign_call.h"
#include "base/process/module_check.h"
#include "base/process/module_spec.h"
#include "base/static_tls.h"
#include "base/text/words.h"
#include "engine/attached.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/lifecycle.h"
#include "engine/profilers.h"
#include "engine/wanted_modules.h"

namespace oriel {
namespace {

using InitFunction = int (*)(const char* args);

struct LoadedModule {
  std::string name;
  void* library = nullptr;  // nullptr while it is being loaded
};

// Modules that are loaded or being loaded, and those that wait to be. Never destroyed: modules may load others while
// the process ends.
struct Registry {
  struct Module {
    void* library = nullptr;  // nullptr: not loaded yet
    bool running = false;     // as far as the engine starts and stops it
  };
  std::mutex lock;
  std::vector<LoadedModule> modules;
  std::vector<ModuleSpec> waiting;
  std::optional<Result<WantedModules>> wanted;  // as read, until they are loaded

  // False if it is there already.
  bool claim(const std::string& name) {
    const std::lock_guard guard(lock);
    if (find(name) != modules.end()) return false;
    modules.push_back({name, nullptr});
    return true;
  }
  void keep(const std::string& name, void* library) {
    const std::lock_guard guard(lock);
    find(name)->library = library;
  }
  void release(const std::string& name) {
    const std::lock_guard guard(lock);
    modules.erase(find(name));
  }
  // nullptr if it is not loaded.
  void* library(const std::string& name) {
    const std::lock_guard guard(lock);
    const auto found = find(name);
    return found == modules.end() ? nullptr : found->library;
  }
  std::vector<LoadedModule> loaded() {
    const std::lock_guard guard(lock);
    return modules;
  }

 private:
  std::vector<LoadedModule>::iterator find(const std::string& name) {
    return std::ranges::find(modules, name, &LoadedModule::name);
  }
};

Registry& registry() {
  static Registry* const made = new Registry;
  return *made;
}

ORIEL_STATIC_TLS constinit thread_local const void* load_running = nullptr;

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
    const int result = foreign_call([&] { return init(args); });
    if (result != 0) problem = "returned " + std::to_string(result) + "; check the arguments";
  } catch (...) {
    problem = "threw an exception; this is a bug in the module, whose exceptions must not escape";
  }
  load_running = outer;
  return problem;
}

Status init_module(void* library, const ModuleSpec& spec, const std::string& path) {
  const std::string symbol = "oriel_init_" + spec.entry;
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

// A function of a module's library (src/modules/module.h); nullptr if it has none of that name.
template <typename Function>
Function* function_of(void* library, std::string_view action, const std::string& name) {
  const std::string symbol = "oriel_module_" + std::string(action) + "_" + name;
  return reinterpret_cast<Function*>(dlsym(library, symbol.c_str()));
}

struct OpenedModule {
  std::string path;
  void* library;
};

Result<OpenedModule> open_module(const ModuleSpec& spec) {
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
  const std::string wrong = wrong_with_module(library, *path, spec.entry, ORIEL_API_VERSION, oriel_version());
  if (!wrong.empty()) return Status::error("cannot load module '" + spec.name + "' (" + *path + "): " + wrong);
  if (attached::number() != 0 && !function_of<void()>(library, "stop", spec.name))
    return Status::error("cannot load module '" + spec.name + "': it has no oriel_module_stop_" + spec.name +
                         ", so it would not end with the attachment; load it by oriel run");
  registry().keep(spec.name, library);
  return OpenedModule{*path, library};
}

// Loads a module, and starts it as `start` does; nothing where it is loaded already.
template <typename Start>
Status load(const ModuleSpec& spec, Start start) {
  if (is_ending()) {
    return Status::error("cannot load module '" + spec.name + "': the process is ending; load it earlier");
  }
  if (!registry().claim(spec.name)) return Status::ok();
  try {
    const Result<OpenedModule> opened = open_module(spec);
    Status status = opened ? start(*opened) : opened.status();
    if (!status) registry().release(spec.name);
    return status;
  } catch (...) {  // out of memory: it may be loaded again later
    registry().release(spec.name);
    throw;
  }
}

constexpr size_t kMessage = 1024;

Status without_function(const std::string& name, std::string_view action) {
  return Status::error("the module '" + name + "' has no oriel_module_" + std::string(action) + "_" + name +
                       "; it cannot be controlled from outside");
}

// Calls oriel_module_ACTION_NAME, one of those with options.
Status call_with_options(void* library, std::string_view action, const std::string& name, const std::string& options) {
  using Action = int(const char*, char*, size_t);
  Action* const call = function_of<Action>(library, action, name);
  if (!call) return without_function(name, action);
  char message[kMessage] = "";
  return call(options.c_str(), message, sizeof message) == 0 ? Status::ok() : Status::error(message);
}

Result<std::string> change_loaded(void* library, const ModuleSpec& base, const std::string& set,
                                  const std::string& dropped) {
  using Change = int(const char*, const char*, const char*, char*, size_t);
  Change* const change = function_of<Change>(library, "change", base.name);
  if (!change) return without_function(base.name, "change");
  char message[kMessage] = "";
  const int failed = change(base.args.c_str(), set.c_str(), dropped.c_str(), message, sizeof message);
  if (failed != 0) return Status::error(message);
  return std::string(message);
}

ModuleState state_of(const LoadedModule& module) {
  constexpr size_t kMostText = 64 * 1024;
  ModuleState state{.name = module.name, .options = "", .file = "", .details = ""};
  using Tell = int(char*, size_t, char*, size_t);
  Tell* const tell = module.library ? function_of<Tell>(module.library, "status", module.name) : nullptr;
  if (!tell) return state;
  state.options.resize(kMostText);
  state.file.resize(PATH_MAX);
  const bool runs = tell(state.options.data(), state.options.size(), state.file.data(), state.file.size()) != 0;
  state.is = runs ? ModuleState::Is::kRunning : ModuleState::Is::kStopped;
  for (std::string* text : {&state.options, &state.file}) text->resize(std::strlen(text->c_str()));
  using Details = int(char*, size_t);
  char text[kMessage] = "";
  if (Details* const details = function_of<Details>(module.library, "details", module.name);
      runs && details && details(text, sizeof text) == 0)
    state.details = text;
  return state;
}

// Starts a module that has just been opened. One without the functions of src/modules/module.h has its arguments alone.
Result<std::string> start_opened(const OpenedModule& opened, const ModuleSpec& spec, const std::string& set,
                                 const std::string& dropped) {
  const bool is_plain = function_of<void()>(opened.library, "change", spec.name) == nullptr;
  if (!is_plain || !set.empty() || !dropped.empty()) return change_loaded(opened.library, spec, set, dropped);
  const Status status = init_module(opened.library, spec, opened.path);
  if (!status) return status;
  return std::string();
}

std::optional<ModuleSpec> waiting_module(const std::string& name) {
  const std::lock_guard guard(registry().lock);
  const auto found = std::ranges::find(registry().waiting, name, &ModuleSpec::name);
  return found == registry().waiting.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string engine_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&load_module), &info) || !info.dli_fname) return "";
  char* real = realpath(info.dli_fname, nullptr);
  const std::string path = real ? real : info.dli_fname;
  free(real);
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Status load_module(const std::string& description) {
  const Result<ModuleSpec> spec = parse_module(description);
  if (!spec) return spec.status();
  return load(*spec, [&](const OpenedModule& opened) { return init_module(opened.library, *spec, opened.path); });
}

bool has_foreign_modules() {
  constexpr std::string_view kOwn[] = {"log", "callgraph", "coverage", "jitdump", "settings"};
  return std::ranges::any_of(registry().loaded(), [&](const LoadedModule& module) {
    return std::ranges::find(kOwn, module.name) == std::end(kOwn);
  });
}

std::vector<ModuleState> module_states() {
  std::vector<ModuleState> states;
  for (const LoadedModule& module : registry().loaded()) states.push_back(state_of(module));
  const std::lock_guard guard(registry().lock);
  for (const ModuleSpec& spec : registry().waiting)
    states.push_back({spec.name, ModuleState::Is::kWaiting, spec.args, "", ""});
  return states;
}

Result<std::string> change_module(const std::string& name, const std::string& set, const std::string& dropped) {
  const std::optional<ModuleSpec> waiting = waiting_module(name);
  const Result<ModuleSpec> spec = waiting ? Result<ModuleSpec>(*waiting) : parse_module(name);
  if (!spec) return spec.status();
  if (void* const library = registry().library(spec->name)) return change_loaded(library, *spec, set, dropped);
  std::string told;
  const Status status = load(*spec, [&](const OpenedModule& opened) {
    Result<std::string> started = start_opened(opened, *spec, set, dropped);
    if (started) told = std::move(*started);
    return started ? Status::ok() : started.status();
  });
  if (!status) return status;
  const std::lock_guard guard(registry().lock);
  std::erase_if(registry().waiting, [&](const ModuleSpec& it) { return it.name == name; });
  return told;
}

Status call_module(const std::string& name, std::string_view action) {
  void* const library = registry().library(name);
  if (!library) return Status::error("there is no module '" + name + "' in the process");
  using Action = int(char*, size_t);
  Action* const call = function_of<Action>(library, action, name);
  if (!call) return without_function(name, action);
  char message[kMessage] = "";
  return call(message, sizeof message) == 0 ? Status::ok() : Status::error(message);
}

Result<std::vector<std::string>> answers_of_modules(std::string_view action, const std::string& argument, Status none) {
  using Answer = int(const char*, char*, size_t);
  std::vector<std::string> answers;
  Status status = std::move(none);
  for (const ModuleState& module : module_states()) {
    if (module.is != ModuleState::Is::kRunning) continue;
    Answer* const ask = function_of<Answer>(registry().library(module.name), action, module.name);
    if (!ask) continue;
    char message[PATH_MAX] = "";
    if (ask(argument.c_str(), message, sizeof message) == 0)
      answers.emplace_back(message);
    else
      status = Status::error(message);
  }
  if (answers.empty()) return status;
  return answers;
}

// The module's libraries ask the environment too (base/redact), so it is set there. Readers of it that run meanwhile
// see the old table or the new one, as the C library frees none.
void read_wanted_modules() {
  const auto& wanted = registry().wanted.emplace(wanted_modules(engine_folder()));
  if (wanted && wanted->no_redact) setenv("ORIEL_NO_REDACT", "1", 1);
}

void load_modules_of_environment() {
  if (!registry().wanted) read_wanted_modules();
  const Result<WantedModules> wanted = *std::exchange(registry().wanted, std::nullopt);
  if (!wanted) return warn((wanted.message() + "; the program runs on without Oriel's modules").c_str());
  for (const std::string& description : split(wanted->descriptions, ';')) {
    if (wanted->paused) {
      if (Result<ModuleSpec> spec = parse_module(description)) registry().waiting.push_back(std::move(*spec));
      continue;
    }
    if (Status status = load_module(description); !status) warn(status.message().c_str());
  }
}

Status start_modules(const std::string& descriptions) {
  for (const std::string& description : split(descriptions, ';')) {
    const Result<ModuleSpec> spec = parse_module(description);
    void* const library = spec ? registry().library(spec->name) : nullptr;
    const Status status =
        library ? call_with_options(library, "start", spec->name, spec->args) : load_module(description);
    if (!status) return status;
  }
  return Status::ok();
}

Status apply_to_module(const std::string& name, const std::string& options) {
  void* const library = registry().library(name);
  return library ? call_with_options(library, "apply", name, options) : without_function(name, "apply");
}

void stop_modules() {
  for (const ModuleState& module : module_states()) {
    if (module.is != ModuleState::Is::kRunning) continue;
    if (Status status = call_module(module.name, "stop"); !status) warn(status.message().c_str());
  }
}

const void* current_load() { return load_running; }

}  // namespace oriel
