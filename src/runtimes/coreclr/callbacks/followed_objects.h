// Sampled objects and whether they still live. Each has a weak handle, which does not keep it; the runtime takes the
// object out of the handle as it collects it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The runtime's weak handles.
class WeakHandles {
 public:
  virtual ~WeakHandles() = default;
  virtual uintptr_t make(ObjectID object) = 0;  // 0: refused
  virtual bool is_empty(uintptr_t handle) = 0;  // also where it is not known
  virtual void free(uintptr_t handle) = 0;
};

class FollowedObjects {
 public:
  // Beyond, objects are followed in part: so many at a time, and so many more in a second.
  static constexpr size_t kMost = 8192;
  static constexpr uint64_t kOften = 2000;

  // `handles` is kept, not owned.
  explicit FollowedObjects(WeakHandles& handles) : handles_(handles) {}

  // From now on objects are followed, or no longer, and those that were are let go. Not two calls at a time.
  void turn(bool on);
  bool is_on() const { return on_.load(std::memory_order_relaxed); }

  // On the thread that allocates the object, while that cannot move; it need not be complete. Its number, from 1 on; 0
  // if it is not followed. Waits for nobody.
  uint32_t follow(ObjectID object, uint64_t size);

  struct Found {
    std::vector<uint32_t> gone;  // numbers
    uint32_t part = 0;           // from now on only such a part is followed (base/followed_part.h); 0: as before
  };
  // As a collection ends, at that time: lets those go that it has collected. `all`: looks at all, else at those that
  // are new since the last look.
  Found look(bool all, uint64_t now_ns);

 private:
  struct One {
    uintptr_t handle;
    uint64_t size;
    uint32_t number;
  };
  bool are_too_many(uint64_t now_ns);
  void let_go_of_part(Found& found);

  WeakHandles& handles_;
  std::atomic<bool> on_{false};
  std::mutex lock_;        // guards the next
  std::vector<One> ones_;  // by number
  size_t looked_at_ = 0;   // of these
  uint64_t looked_ns_ = 0;
  uint32_t numbers_ = 0;  // given so far
  uint32_t part_ = 1;     // that is followed
};

}  // namespace oriel::coreclr
