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

int report(const Status& status, char* message, size_t size) {
  if (message != nullptr && size > 0) snprintf(message, size, "%s", status ? "" : status.message().c_str());
  return status ? 0 : 1;
}

}  // namespace internal

bool is_own_process() { return getpid() == loaded_into; }

std::string next_file(const std::string& path) {
  static auto* const lock = new std::mutex;
  static auto* const taken = new std::set<std::string>;
  const std::lock_guard guard(*lock);
  std::string name = path;
  for (unsigned number = 2; !taken->insert(name).second; ++number) {
    const std::filesystem::path whole = path;
    name = (whole.parent_path() / whole.stem()).string() + "-" + std::to_string(number) + whole.extension().string();
  }
  return name;
}

}  // namespace oriel::modules
