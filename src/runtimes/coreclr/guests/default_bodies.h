// The bodies that methods have from their first compilation on, as guests make them: one after the other, each on top
// of what those before it made. What Oriel adds comes last, and no guest is shown it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class DefaultBodies {
 public:
  explicit DefaultBodies(ProfilerInfo& runtime) : runtime_(runtime) {}

  // What a guest, or Oriel before it adds its own, is to see: what guests made last, or what the metadata has. nullopt:
  // the runtime knows best, nobody changed it.
  std::optional<std::span<const uint8_t>> shown(const MethodKey& key);
  // A guest made this. Bodies live as long as their module.
  void made_by_guest(const MethodKey& key, std::span<const uint8_t> body);
  // Oriel is about to replace the runtime's body: what it is now stays what is shown.
  void before_own(const MethodKey& key);
  void module_unloading(ModuleID module);

 private:
  ProfilerInfo& runtime_;
  std::mutex lock_;
  std::unordered_map<MethodKey, std::span<const uint8_t>, MethodKeyHash> shown_;
};

}  // namespace oriel::coreclr
