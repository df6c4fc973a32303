#include "runtimes/coreclr/precompiled_code.h"

#include "runtimes/coreclr/code_regions.h"

namespace oriel::coreclr {

void PrecompiledCode::is_used(FunctionID function) {
  const std::lock_guard lock(waiting_lock_);
  waiting_.push_back(function);
}

bool PrecompiledCode::knows(uintptr_t low, uintptr_t address) const {
  const auto lowest = starts_.lower_bound(low);
  return lowest != starts_.end() && *lowest <= address;
}

void PrecompiledCode::learn(ProfilerInfo& info, FunctionID function) {
  for (const uintptr_t start : code_versions(info, function, 0)) starts_.insert(start);
}

bool PrecompiledCode::reaches(ProfilerInfo& info, uintptr_t low, uintptr_t address) {
  const std::lock_guard lock(asking_);
  while (!knows(low, address)) {
    FunctionID function = 0;
    {
      const std::lock_guard waiting_lock(waiting_lock_);
      if (waiting_.empty()) return false;
      function = waiting_.back();
      waiting_.pop_back();
    }
    learn(info, function);
  }
  return true;
}

void PrecompiledCode::settle(ProfilerInfo& info) { reaches(info, UINTPTR_MAX, 0); }

}  // namespace oriel::coreclr
