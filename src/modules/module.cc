#include "modules/module.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>

namespace oriel::modules {
namespace {

const pid_t loaded_into = getpid();

}  // namespace

namespace internal {

void copy_text(const std::string& text, char* to, size_t size) {
  if (to != nullptr && size > 0) snprintf(to, size, "%s", text.c_str());
}

int report(const Status& status, char* message, size_t size) {
  copy_text(status ? "" : status.message(), message, size);
  return status ? 0 : 1;
}

}  // namespace internal

bool is_own_process() { return getpid() == loaded_into; }

std::string path_from_root(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.string();
}

std::string next_file(const std::string& path) {
  static auto* const lock = new std::mutex;
  static auto* const taken = new std::set<std::string>;
  const std::lock_guard guard(*lock);
  std::string name = path;
  for (unsigned number = 2; !taken->insert(path_from_root(name)).second; ++number) {
    const std::filesystem::path whole = path;
    name = (whole.parent_path() / whole.stem()).string() + "-" + std::to_string(number) + whole.extension().string();
  }
  return name;
}

}  // namespace oriel::modules
