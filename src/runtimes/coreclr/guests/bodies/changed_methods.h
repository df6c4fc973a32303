// Which guests changed which methods' bodies.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// Any thread.
class ChangedMethods {
 public:
  // The guest has changed the method's body. The guest counts each method once.
  void note(Guest& guest, const MethodKey& key) {
    const std::lock_guard guard(lock_);
    uint32_t& changers = by_method_[key];
    if ((changers & guest.bit()) != 0) return;
    changers |= guest.bit();
    guest.note_changed_method();
  }
  void module_unloading(ModuleID module) {
    const std::lock_guard guard(lock_);
    std::erase_if(by_method_, [&](const auto& entry) { return entry.first.module == module; });
  }

 private:
  std::mutex lock_;
  std::unordered_map<MethodKey, uint32_t, MethodKeyHash> by_method_;
};

}  // namespace oriel::coreclr
