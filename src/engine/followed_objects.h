// Sampled objects that are followed until they die, for runtimes. Each has a weak handle, which does not keep it alive;
// the runtime clears the handle when it collects the object.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace oriel {

// The runtime's weak handles.
class WeakHandles {
 public:
  virtual ~WeakHandles() = default;
  virtual uintptr_t make(uintptr_t object) = 0;  // 0: refused
  virtual bool is_empty(uintptr_t handle) = 0;   // also true if it is not known
  virtual void free(uintptr_t handle) = 0;
};

class FollowedObjects {
 public:
  // Above these limits only a part of the objects is followed: the number at a time, and the number of new ones per
  // second.
  static constexpr size_t kMost = 8192;
  static constexpr uint64_t kOften = 2000;
  // Where somebody chose objects, the number of these at a time.
  static constexpr size_t kMostChosen = 1 << 19;

  // `handles` is not owned and must outlive this.
  explicit FollowedObjects(WeakHandles& handles) : handles_(handles) {}

  // Starts following objects, or stops and releases those that were followed. Calls must not overlap.
  void turn(bool on);
  bool is_on() const { return on_.load(std::memory_order_relaxed); }

  // Called on the thread that allocates the object, while the object cannot move; it need not be complete. Returns its
  // number, from 1 on, or 0 if it is not followed. Never blocks.
  uint32_t follow(uintptr_t object, uint64_t size);
  // Likewise for an object that somebody chose. It is pinned, and a collection may run meanwhile.
  uint32_t follow_pinned(uintptr_t object, uint64_t size);

  struct Found {
    std::vector<uint32_t> gone;  // numbers
    uint32_t part = 0;           // the part that is followed from now on (base/followed_part.h); 0: unchanged
    bool was_busy = false;       // nobody looked
  };
  // Called as a collection ends, with the current time: releases the objects that were collected. `all`: checks all
  // objects, otherwise only those added since the last look.
  enum class IfBusy : uint8_t { kWait, kLookLater };  // while another thread begins to follow an object
  Found look(bool all, uint64_t now_ns, IfBusy if_busy = IfBusy::kWait);
  // Releases those whose handles these are, as if they had been collected. Any thread, not during a collection.
  Found let_go(const std::function<bool(uintptr_t handle)>& wanted);

 private:
  struct One {
    uintptr_t handle;
    uint64_t size;
    uint32_t number;
  };
  size_t most() const { return any_chosen_ ? kMostChosen : kMost; }
  bool are_too_many(uint64_t now_ns);
  void let_go_of_part(Found& found);

  WeakHandles& handles_;
  std::atomic<bool> on_{false};
  std::mutex lock_;        // guards the next
  std::vector<One> ones_;  // ascending by number
  size_t looked_at_ = 0;   // of these
  uint64_t looked_ns_ = 0;
  uint32_t numbers_ = 0;  // assigned so far
  uint32_t part_ = 1;     // the part that is followed
  bool any_chosen_ = false;
};

}  // namespace oriel
