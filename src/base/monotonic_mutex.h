// std::timed_mutex by the monotonic clock, as MonotonicCondition is.
#pragma once

#include <chrono>
#include <mutex>
#include <utility>

#include "base/monotonic_condition.h"

namespace oriel {

class MonotonicMutex {
 public:
  void lock() {
    std::unique_lock guard(lock_);
    while (is_held_) released_.wait(guard);
    is_held_ = true;
  }
  bool try_lock() {
    const std::lock_guard guard(lock_);
    return !std::exchange(is_held_, true);
  }
  bool try_lock_for(std::chrono::milliseconds most) {
    std::unique_lock guard(lock_);
    if (!released_.wait_for(guard, most, [&] { return !is_held_; })) return false;
    is_held_ = true;
    return true;
  }
  void unlock() {
    const std::lock_guard guard(lock_);
    is_held_ = false;
    released_.notify_all();
  }

 private:
  std::mutex lock_;
  bool is_held_ = false;
  MonotonicCondition released_;
};

}  // namespace oriel
