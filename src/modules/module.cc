#include "modules/module.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

namespace oriel::modules {
namespace {

const pid_t loaded_into = getpid();

// Whoever asks, by thread: a thread-local variable would take some of the little room that libraries have for them.
struct Askers {
  std::mutex lock;
  std::map<std::thread::id, std::string*> told;
};
Askers& askers() {
  static auto* const made = new Askers;
  return *made;
}

}  // namespace

namespace internal {

void copy_text(std::string_view text, char* to, size_t size) {
  if (to != nullptr && size > 0) snprintf(to, size, "%.*s", static_cast<int>(text.size()), text.data());
}

Asker::Asker(std::string& told) {
  const std::lock_guard guard(askers().lock);
  askers().told[std::this_thread::get_id()] = &told;
}
Asker::~Asker() {
  const std::lock_guard guard(askers().lock);
  askers().told.erase(std::this_thread::get_id());
}

}  // namespace internal

bool is_own_process() { return getpid() == loaded_into; }

void tell(const std::string& sentence) {
  std::string* told = nullptr;
  {
    const std::lock_guard guard(askers().lock);
    const auto found = askers().told.find(std::this_thread::get_id());
    if (found != askers().told.end()) told = found->second;
  }
  if (told == nullptr) return oriel_warn(sentence.c_str());
  if (!told->empty()) *told += "; ";
  *told += sentence;
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
