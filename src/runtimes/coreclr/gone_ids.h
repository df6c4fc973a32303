// Modules, dynamic methods and methods made for types of such modules, which were unloaded. For a while their code can
// still be found by address, though what it belonged to must not be asked about any more. An id that the runtime uses
// again is taken off before anyone meets it.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_set>

namespace oriel::coreclr {

class GoneIds {
 public:
  void add(uintptr_t id) {
    const std::lock_guard lock(mutex_);
    ids_.insert(id);
  }
  void remove(uintptr_t id) {
    const std::lock_guard lock(mutex_);
    ids_.erase(id);
  }
  bool contains(uintptr_t id) {
    const std::lock_guard lock(mutex_);
    return ids_.contains(id);
  }

 private:
  std::mutex mutex_;
  std::unordered_set<uintptr_t> ids_;
};

}  // namespace oriel::coreclr
