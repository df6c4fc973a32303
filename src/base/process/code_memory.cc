#include "base/process/code_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/files/descriptor.h"

namespace oriel {
namespace {

// CoreCLR maps this file by its descriptor on any thread that generates code, or loads a class for a name, and ends the
// process if that fails.
bool is_code_memory(int folder, const char* name) {
  char target[256];
  const ssize_t size = readlinkat(folder, name, target, sizeof target);
  if (size <= 0) return false;
  const std::string_view path(target, static_cast<size_t>(size));
  return path.starts_with("/memfd:doublemapper") || path.starts_with("/dev/shm/doublemapper");
}

}  // namespace

std::optional<int> descriptor_to_keep() {
  const int folder = open_with_high_number("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  std::unique_ptr<DIR, int (*)(DIR*)> list(folder < 0 ? nullptr : fdopendir(folder), closedir);
  if (!list) {
    if (folder >= 0) close(folder);
    return std::nullopt;
  }
  while (const dirent* entry = readdir(list.get())) {
    if (is_code_memory(folder, entry->d_name)) return std::atoi(entry->d_name);
  }
  return -1;
}

}  // namespace oriel
