#include "modules/module.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "base/static_tls.h"

namespace oriel::modules {
namespace {

const pid_t loaded_into = getpid();
ORIEL_STATIC_TLS constinit thread_local std::string* told_to = nullptr;

}  // namespace

namespace internal {

void copy_text(std::string_view text, char* to, size_t size) {
  if (to != nullptr && size > 0) snprintf(to, size, "%.*s", static_cast<int>(text.size()), text.data());
}

Asker::Asker(std::string& told) { told_to = &told; }
Asker::~Asker() { told_to = nullptr; }

}  // namespace internal

bool is_own_process() { return getpid() == loaded_into; }

void tell(const std::string& sentence) {
  if (told_to == nullptr) return oriel_warn(sentence.c_str());
  if (!told_to->empty()) *told_to += "; ";
  *told_to += sentence;
}

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
