#include "mono_modules/load.h"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "base/files/input_file.h"
#include "base/process/imports.h"
#include "base/process/module_spec.h"
#include "mono_modules/code_table.h"
#include "oriel/oriel.h"

namespace oriel::mono_modules {
namespace {

// This library, open for all later ones: they find Mono's functions in it. nullptr if that fails.
void* own_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&load), &info) || !info.dli_fname) return nullptr;
  return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Functions of Mono that the library calls and that are not here.
std::vector<std::string> missing_functions(void* library, void* own) {
  std::vector<std::string> missing;
  for (const std::string& name : imported_names(library)) {
    const bool is_known = std::ranges::find(missing, name) != missing.end();
    if (!name.starts_with("mono_") || is_known || dlsym(own, name.c_str())) continue;
    if (!dlsym(RTLD_DEFAULT, name.c_str())) missing.push_back(name);  // a program on Mono has them all
  }
  std::ranges::sort(missing);
  return missing;
}

std::string only_mono_has(const std::string& names) { return "it uses " + names + ", which only Mono has"; }

// Of the loader's message.
std::string missing_in(const std::string& reason) {
  constexpr std::string_view kWords = "undefined symbol: ";
  const size_t at = reason.find(kWords);
  if (at == reason.npos) return "";
  const size_t begin = at + kWords.size();
  return reason.substr(begin, reason.find_first_of(" ,\t\n", begin) - begin);
}

using Start = void(const char*);

struct Opened {
  Start* start = nullptr;
  std::string wrong;  // why there is none
};

Opened open(const MonoModule& module) {
  void* const own = own_library();
  if (!own) return {nullptr, "Oriel's own library for modules of Mono cannot be opened again"};
  // The loader would wait for a pipe. A name without a folder it looks for itself.
  if (module.file.find('/') != module.file.npos) {
    if (const Status status = check_input(module.file); !status) return {nullptr, status.message()};
  }
  dlerror();
  void* const library = dlopen(module.file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* const said = dlerror();
    const std::string reason = said ? said : "unknown error";
    const std::string missing = missing_in(reason);
    return {nullptr, missing.starts_with("mono_") ? only_mono_has(missing) : reason};
  }
  const std::string symbol = "mono_profiler_init_" + module.name;
  auto* const start = reinterpret_cast<Start*>(dlsym(library, symbol.c_str()));
  if (!start && dlsym(library, "mono_profiler_startup"))
    return {nullptr,
            "it is for the profiler API that Mono had before version 5.4, which nothing here has; \"Coming from Mono\" "
            "in docs/API.md says how to port it"};
  if (!start) return {nullptr, "it does not export " + symbol + ", so it is no profiler of that name for Mono"};
  if (const auto missing = missing_functions(library, own); !missing.empty())
    return {nullptr, only_mono_has(joined(missing))};
  return {start, ""};
}

// Code is known from before the first module asks for it.
void keep_code() {
  static const bool begun = [] {
    const auto keep = [](oriel_profiler*, oriel_method* method, const void* code, uint64_t size) {
      code_table().add(method, code, size);
    };
    oriel_profiler_set_jit_done_callback(oriel_profiler_create(nullptr), keep);
    return true;
  }();
  (void)begun;
}

}  // namespace

std::string wrong_with(const std::string& description) { return open(mono_module(description)).wrong; }

bool load(const std::string& description) {
  const MonoModule module = mono_module(description);
  const Opened opened = open(module);
  if (!opened.start) {
    oriel_warn(("the profiler for Mono '" + module.name + "' is not loaded: " + opened.wrong).c_str());
    return false;
  }
  keep_code();
  // A module may keep the pointer.
  const auto* const told = new std::string(module.name + (module.args.empty() ? "" : ":" + module.args));
  opened.start(told->c_str());
  return true;
}

}  // namespace oriel::mono_modules
