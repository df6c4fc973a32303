#include "runtimes/coreclr/before_abort.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdlib>

#include "base/process/fault.h"
#include "base/process/import_slot.h"
#include "base/process/loaded_library.h"
#include "engine/engine.h"

namespace oriel::coreclr {
namespace {

using Abort = void (*)();
Abort abort_before = &abort;

void on_abort() {
  if (!is_handling_fault()) {
    try {
      engine_before_abort();
    } catch (...) {  // no memory: the program ends anyway
    }
  }
  abort_before();
}

// An address in the runtime: in its library, or in the program if the runtime is linked into it.
uintptr_t address_in_runtime() {
  void* const runtime = loaded_library("libcoreclr.so");
  if (runtime == nullptr) return getauxval(AT_ENTRY);
  const auto known = reinterpret_cast<uintptr_t>(dlsym(runtime, "coreclr_initialize"));
  dlclose(runtime);
  return known;
}

// If a profiler declines, the runtime unloads its library, and calls to the replacement would crash.
bool pin_own_library() {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(&on_abort), &info) != 0 &&
         dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}

bool replace_abort() {
  const uintptr_t runtime = address_in_runtime();
  if (runtime == 0 || !pin_own_library()) return false;
  void* const before = replace_import(runtime, "abort", reinterpret_cast<void*>(&on_abort));
  if (before != nullptr) abort_before = reinterpret_cast<Abort>(before);
  return before != nullptr;
}

}  // namespace

void install_abort_hook() { [[maybe_unused]] static const bool heard = replace_abort(); }

}  // namespace oriel::coreclr
