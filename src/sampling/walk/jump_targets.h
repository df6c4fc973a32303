// Where the paths through a function's code have jumped to, so that each target is followed once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// Async-safe.
class JumpTargets {
 public:
  // Whether this target is reached for the first time; remembers it. False too if there is no room for further ones.
  bool is_new(uintptr_t target) {
    for (size_t i = 0; i < targets_; i++) {
      if (target_[i] == target) return false;
    }
    if (targets_ == kMost) return false;
    target_[targets_++] = target;
    return true;
  }

 private:
  static constexpr size_t kMost = 64;

  size_t targets_ = 0;
  uintptr_t target_[kMost];
};

}  // namespace oriel::sampling
