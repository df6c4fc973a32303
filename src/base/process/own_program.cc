#include "base/process/own_program.h"

#include <unistd.h>

#include <climits>

namespace oriel {

std::string own_program() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string program(path, size > 0 ? static_cast<size_t>(size) : 0);
  return program.ends_with("/dotnet") ? "" : program;
}

}  // namespace oriel
