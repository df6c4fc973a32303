// Versions of methods that later guests saw while they made their own changes. Like other bodies, they live as long as
// their module.
#pragma once

#include <iterator>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/guests/bodies/captured_version.h"

namespace oriel::coreclr {

// Any thread.
class ShownVersions {
 public:
  void keep(ModuleID module, std::vector<ComPtr<CapturedVersion>> versions) {
    const std::lock_guard guard(lock_);
    std::vector<ComPtr<CapturedVersion>>& all = by_module_[module];
    all.insert(all.end(), std::make_move_iterator(versions.begin()), std::make_move_iterator(versions.end()));
  }
  void module_unloading(ModuleID module) {
    const std::lock_guard guard(lock_);
    by_module_.erase(module);
  }

 private:
  std::mutex lock_;
  std::unordered_map<ModuleID, std::vector<ComPtr<CapturedVersion>>> by_module_;
};

}  // namespace oriel::coreclr
