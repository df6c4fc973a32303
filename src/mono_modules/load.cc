#include "mono_modules/load.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/files/input_file.h"
#include "base/process/imports.h"
#include "base/process/module_check.h"
#include "base/process/module_spec.h"
#include "base/text/words.h"
#include "mono_modules/code_table.h"
#include "mono_modules/known_names.h"
#include "oriel/oriel.h"
#include "symbols/byte_source.h"
#include "symbols/elf_image.h"

namespace oriel::mono_modules {
namespace {

// This library, open for all later ones: they find Mono's functions in it. nullptr if that fails.
void* own_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&load), &info) || !info.dli_fname) return nullptr;
  return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

// Functions of Mono among these that are not here.
std::set<std::string> missing_functions(std::vector<std::string> imported, void* own) {
  std::set<std::string> missing;
  for (std::string& name : imported) {
    if (!name.starts_with("mono_") || dlsym(own, name.c_str())) continue;
    if (!dlsym(RTLD_DEFAULT, name.c_str())) missing.insert(std::move(name));  // a program on Mono has them all
  }
  return missing;
}

std::string only_mono_has(const std::set<std::string>& names, const std::string& module) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> first(names.begin(), std::next(names.begin(), std::min(kNamed, names.size())));
  const size_t more = names.size() - first.size();
  return "it uses " + join(first, ", ") + (more == 0 ? "" : " and " + std::to_string(more) + " more") +
         ", which only Mono has: MONO_ENV_OPTIONS=--profile=" + module + " loads it into a program on Mono";
}

// The file that the loader refused, which it found itself if it was given no folder: glibc says which.
std::string refused_file(const std::string& given, const std::string& reason) {
  return given.find('/') != given.npos ? given : reason.substr(0, reason.find(": "));
}

// Why the loader refused the library. It names one function at most that it does not find: the file has all.
std::string why_refused(const MonoModule& module, const std::string& reason, void* own) {
  const std::string &given = module.file, missing = missing_symbol(reason);
  if (missing.starts_with("mono_")) {
    const symbols::ByteSource bytes(refused_file(given, reason));
    std::set<std::string> all = missing_functions(symbols::ElfImage(bytes).imported_names(), own);
    all.insert(missing);
    return only_mono_has(all, module.name);
  }
  if (missing.empty() && given.find('/') == given.npos)
    return reason + "; without a folder only the system's libraries are searched, so give its path";
  return reason;
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
    return {nullptr, why_refused(module, said ? said : "unknown error", own)};
  }
  const std::string symbol = "mono_profiler_init_" + module.name;
  auto* const start = reinterpret_cast<Start*>(dlsym(library, symbol.c_str()));
  if (!start && dlsym(library, "mono_profiler_startup"))
    return {nullptr,
            "it is for the profiler API that Mono had before version 5.4, which nothing here has; \"Coming from Mono\" "
            "in docs/API.md says how to port it"};
  if (!start) return {nullptr, "it does not export " + symbol + ", so it is no profiler of that name for Mono"};
  if (const auto missing = missing_functions(imported_names(library), own); !missing.empty())
    return {nullptr, only_mono_has(missing, module.name)};
  return {start, ""};
}

// Code is known from before the first module asks for it.
void keep_code() {
  static const bool begun = [] {
    const auto keep = [](oriel_profiler*, oriel_method* method, const void* code, uint64_t size) {
      learn_names(method);  // before a sample can find it
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
  const auto* const told = new std::string(with_arguments(module.name, module.args));
  opened.start(told->c_str());
  return true;
}

}  // namespace oriel::mono_modules
