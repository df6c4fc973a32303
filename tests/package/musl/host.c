// Starts a program that was published for musl with its runtime: host PROGRAM.dll [ARGUMENT…]. .NET's own host needs
// the strings of GNU's C++ library, which are not here; the runtime itself needs much less (standard_library.cc).
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*Initialize)(const char* host, const char* domain_name, int count, const char** keys, const char** values,
                          void** runtime, unsigned* domain);
typedef int (*Execute)(void* runtime, unsigned domain, int count, const char** arguments, const char* assembly,
                       unsigned* code);
typedef int (*Shutdown)(void* runtime, unsigned domain, int* code);

static int fail(const char* what, const char* why) {
  fprintf(stderr, "host: %s: %s\n", what, why);
  return 120;
}

int main(int argc, char** argv) {
  static char program[PATH_MAX], folder[PATH_MAX], library[PATH_MAX + 32], assemblies[1 << 20];
  if (argc < 2 || !realpath(argv[1], program)) return fail("usage", "host PROGRAM.dll [ARGUMENT…]");
  strcpy(folder, program);
  *strrchr(folder, '/') = 0;

  size_t used = 0;
  DIR* files = opendir(folder);
  for (struct dirent* file; files && (file = readdir(files));) {
    const char* dot = strrchr(file->d_name, '.');
    if (!dot || strcmp(dot, ".dll") != 0 || used + PATH_MAX > sizeof assemblies) continue;
    used += (size_t)snprintf(assemblies + used, PATH_MAX, "%s/%s:", folder, file->d_name);
  }

  snprintf(library, sizeof library, "%s/libcoreclr.so", folder);
  void* coreclr = dlopen(library, RTLD_NOW);
  if (!coreclr) return fail("the runtime cannot be loaded", dlerror());
  const Initialize initialize = (Initialize)dlsym(coreclr, "coreclr_initialize");
  const Execute execute = (Execute)dlsym(coreclr, "coreclr_execute_assembly");
  const Shutdown shut_down = (Shutdown)dlsym(coreclr, "coreclr_shutdown_2");
  if (!initialize || !execute || !shut_down) return fail("the runtime", "it lacks a function");

  const char* keys[] = {"TRUSTED_PLATFORM_ASSEMBLIES", "NATIVE_DLL_SEARCH_DIRECTORIES", "APP_PATHS",
                        "System.Globalization.Invariant"};
  const char* values[] = {assemblies, folder, folder, "true"};
  void* runtime;
  unsigned domain, told = 0;
  char why[32];
  int result = initialize(program, "host", sizeof keys / sizeof *keys, keys, values, &runtime, &domain);
  snprintf(why, sizeof why, "%#x", (unsigned)result);
  if (result < 0) return fail("the runtime cannot start", why);
  result = execute(runtime, domain, argc - 2, (const char**)argv + 2, program, &told);
  snprintf(why, sizeof why, "%#x", (unsigned)result);
  if (result < 0) return fail("the program cannot be run", why);
  int code = (int)told;
  shut_down(runtime, domain, &code);
  return code;
}
