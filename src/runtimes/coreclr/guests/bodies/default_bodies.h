// The bodies that methods have from their first compilation on, as guests make them: one after the other, each on top
// of what those before it made. What Oriel adds comes last, and no guest is shown it.
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

// A guest made this body, on top of those before it.
struct MadeBody {
  Guest* guest = nullptr;
  std::span<const uint8_t> body;
};

// What guests made of a method since it was settled, and what it was before that.
struct UnsettledBodies {
  std::span<const uint8_t> before;
  std::vector<MadeBody> made;
  size_t sound = 0;  // so many of them, the first, are known to be
};

class DefaultBodies {
 public:
  explicit DefaultBodies(ProfilerInfo& runtime) : runtime_(runtime) {}

  // What a guest, or Oriel before it adds its own, is to see: what guests made last, or what the metadata has. nullopt:
  // the runtime knows best, nobody changed it.
  std::optional<std::span<const uint8_t>> shown(const MethodKey& key);
  // A guest made it of `before`, which is what was shown. Bodies live as long as their module.
  void made_by_guest(const MethodKey& key, std::span<const uint8_t> before, const MadeBody& made);
  // What is yet to be settled of the method; nullopt: nothing.
  std::optional<UnsettledBodies> unsettled(const MethodKey& key);
  // Of any method.
  bool has_unsettled() const { return unsettled_count_.load(std::memory_order_acquire) != 0; }
  // Of the first `looked_at` bodies, `sound` are; those after them are taken back, if they are shown.
  void looked_at(const MethodKey& key, size_t looked_at, size_t sound);
  // Nothing of the method is to be settled any more. Was there anything?
  bool settled(const MethodKey& key);
  // A body with clauses is about to be the runtime's.
  void note_clauses(const MethodKey& key);
  // Was one ever, made by anybody?
  bool had_clauses(const MethodKey& key);
  // Oriel is about to replace the runtime's body: what it is now stays what is shown.
  void before_own(const MethodKey& key);
  void module_unloading(ModuleID module);

 private:
  ProfilerInfo& runtime_;
  std::mutex lock_;
  std::unordered_map<MethodKey, std::span<const uint8_t>, MethodKeyHash> shown_;
  std::unordered_map<MethodKey, UnsettledBodies, MethodKeyHash> unsettled_;
  std::unordered_set<MethodKey, MethodKeyHash> with_clauses_;
  std::atomic<size_t> unsettled_count_{0};
};

}  // namespace oriel::coreclr
