#include "runtimes/coreclr/callbacks/jit_state.h"

#include <algorithm>

namespace oriel::coreclr {

bool JitState::knows(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  return versions_.contains(method->id);
}

bool JitState::is_new(const oriel_method* method, uintptr_t version_start) {
  const std::lock_guard lock(mutex_);
  std::vector<uintptr_t>& known = versions_[method->id];
  if (std::find(known.begin(), known.end(), version_start) != known.end()) return false;
  known.push_back(version_start);
  return true;
}

void JitState::forget(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  versions_.erase(method->id);
}

}  // namespace oriel::coreclr
