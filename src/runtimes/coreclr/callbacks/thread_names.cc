#include "runtimes/coreclr/callbacks/thread_names.h"

#include <utility>

namespace oriel::coreclr {

void ThreadNames::keep(ThreadID thread, std::string name) {
  const std::lock_guard lock(mutex_);
  names_[thread] = std::move(name);
}

std::string ThreadNames::take(ThreadID thread) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(thread);
  if (found == names_.end()) return {};
  std::string name = std::move(found->second);
  names_.erase(found);
  return name;
}

}  // namespace oriel::coreclr
