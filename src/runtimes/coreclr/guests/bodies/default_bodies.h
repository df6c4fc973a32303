// The bodies that methods have from their first compilation on. Guests change them one after the other, each on top of
// the changes before it. Oriel's changes come last, and no guest sees them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// A body that a guest set, based on those before it.
struct MadeBody {
  Guest* guest = nullptr;
  std::span<const uint8_t> body;
};

// The bodies that guests set since the method was last validated, and the body before them.
struct PendingBodies {
  std::span<const uint8_t> before;
  std::vector<MadeBody> made;
  size_t sound = 0;  // the number of leading ones that are known to be valid
};

class DefaultBodies {
 public:
  explicit DefaultBodies(ProfilerInfo& runtime) : runtime_(runtime) {}

  // The body that a guest sees, and Oriel before it adds its changes: the last one that a guest set, or the metadata's.
  // nullopt: nobody has changed it, ask the runtime.
  std::optional<std::span<const uint8_t>> shown(const MethodKey& key);
  // A guest has set a body based on `before`, which is what it was shown. Bodies live as long as their module.
  void made_by_guest(const MethodKey& key, std::span<const uint8_t> before, const MadeBody& made);
  // The method's bodies that are not validated yet; nullopt if there are none.
  std::optional<PendingBodies> pending_bodies(const MethodKey& key);
  // Whether any method has such bodies.
  bool has_pending_bodies() const { return pending_count_.load(std::memory_order_acquire) != 0; }
  // The first `looked_at` bodies were checked, and the first `sound` of them are valid. The others are dropped, and no
  // longer shown.
  void looked_at(const MethodKey& key, size_t looked_at, size_t sound);
  // The method's bodies are validated. Returns whether there were any.
  bool mark_validated(const MethodKey& key);
  // The runtime is about to get a body with exception clauses.
  void note_clauses(const MethodKey& key);
  // Whether it ever had such a body, from anybody.
  bool had_clauses(const MethodKey& key);
  // Oriel is about to replace the runtime's body. Guests continue to see the current one.
  void before_own(const MethodKey& key);
  void module_unloading(ModuleID module);

 private:
  ProfilerInfo& runtime_;
  std::mutex lock_;
  std::unordered_map<MethodKey, std::span<const uint8_t>, MethodKeyHash> shown_;
  std::unordered_map<MethodKey, PendingBodies, MethodKeyHash> pending_bodies_;
  std::unordered_set<MethodKey, MethodKeyHash> with_clauses_;
  std::atomic<size_t> pending_count_{0};
};

}  // namespace oriel::coreclr
