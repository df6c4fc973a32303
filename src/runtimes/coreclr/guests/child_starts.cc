#include "runtimes/coreclr/guests/child_starts.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/process/import_slot.h"
#include "base/process/loaded_library.h"
#include "engine/engine.h"
#include "runtimes/coreclr/guests/child_environment.h"

namespace oriel::coreclr {
namespace {

using Execve = int (*)(const char*, char* const*, char* const*);

// A limit for stack use, in a process that has not become the new program yet and so must not allocate. The stack may
// be small, so no more is taken than needed.
constexpr size_t kMostScratch = 32 * 1024;

std::string_view engine;  // the path of its library
Execve execve_before = nullptr;

// Called in the new process, which may still share its memory with this one.
int execve_for_child(const char* path, char* const* arguments, char* const* environment) {
  const size_t size = environment ? child_environment_size(environment, engine) : 0;
  if (size == 0 || size > kMostScratch) return execve_before(path, arguments, environment);
  auto* const scratch = static_cast<char*>(__builtin_alloca(size));
  return execve_before(path, arguments, child_environment(environment, engine, {scratch, size}));
}

// An address in the library through which the framework starts programs, which is loaded if necessary:
// libSystem.Native.so beside the runtime, or the program itself if it is a single file. 0 if there is none.
uintptr_t starting_library() {
  void* const clr = loaded_library("libcoreclr.so");
  if (clr == nullptr) return getauxval(AT_ENTRY);
  const void* const known = dlsym(clr, "coreclr_initialize");
  Dl_info info{};
  if (known == nullptr || dladdr(known, &info) == 0) return 0;
  std::string path = info.dli_fname;
  path.resize(path.rfind('/') + 1);
  void* const library = dlopen((path + "libSystem.Native.so").c_str(), RTLD_LAZY);
  return library ? reinterpret_cast<uintptr_t>(dlsym(library, "SystemNative_ForkAndExecProcess")) : 0;
}

bool mend() {
  const char* const children = std::getenv("ORIEL_CHILDREN");
  const char* const path = std::getenv("CORECLR_PROFILER_PATH");
  if (children == nullptr || std::strcmp(children, "1") != 0 || path == nullptr) return false;
  engine = *new std::string(path);
  execve_before = &execve;
  const uintptr_t library = starting_library();
  void* const before =
      library ? replace_import(library, "execve", reinterpret_cast<void*>(&execve_for_child)) : nullptr;
  if (before != nullptr) execve_before = reinterpret_cast<Execve>(before);
  if (before == nullptr)
    warn("this runtime starts programs in an unknown way; those that name a profiler of their own run without Oriel");
  return before != nullptr;
}

}  // namespace

bool redirect_child_starts() {
  static const bool mended = mend();
  return mended;
}

}  // namespace oriel::coreclr
