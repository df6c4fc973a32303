#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "locate.h"
#include "oriel/oriel.h"

namespace oriel::cli {
namespace {

std::string last_load_error() {
  const char* message = dlerror();
  return message ? message : "unknown error";
}

// What is wrong with the module; "" if nothing.
std::string inspect(const ModuleRequest& module, const std::string& engine) {
  if (!dlopen(engine.c_str(), RTLD_NOW | RTLD_GLOBAL)) return "the engine cannot be loaded: " + last_load_error();
  void* library = dlopen(module.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return "it cannot be loaded: " + last_load_error();
  const std::string version_name = "oriel_api_version_" + module.name;
  const std::string init_name = "oriel_init_" + module.name;
  void* version = dlsym(library, version_name.c_str());
  if (!version) return fmt::format("it does not export {}; is it an Oriel module?", version_name);
  if (!dlsym(library, init_name.c_str()))
    return fmt::format("it does not export {}; is it an Oriel module?", init_name);
  const uint32_t built_for = reinterpret_cast<uint32_t (*)()>(version)();
  if (built_for == ORIEL_API_VERSION) return "";
  return fmt::format("it is built for API version {}, this Oriel speaks version {}; build it against these headers",
                     built_for, ORIEL_API_VERSION);
}

std::string read_all(int fd) {
  std::string text;
  char buffer[1024];
  for (;;) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

}  // namespace

Status try_module(const ModuleRequest& module, const std::string& engine) {
  int ends[2];
  if (pipe(ends) != 0) return Status::ok();  // not a reason not to run: the engine will look again
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string problem = inspect(module, engine);
    const ssize_t written = write(ends[1], problem.data(), problem.size());
    _exit(written == static_cast<ssize_t>(problem.size()) ? 0 : 1);
  }
  close(ends[1]);
  const std::string problem = child > 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (child < 0) return Status::ok();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!problem.empty()) return Status::error(fmt::format("module '{}' ({}): {}", module.name, module.file, problem));
  if (status != 0)
    return Status::error(fmt::format("module '{}' ({}): it crashes when it is loaded", module.name, module.file));
  return Status::ok();
}

}  // namespace oriel::cli
