// The types whose every object is followed until it is collected, by the patterns of --alloc-follow.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "oriel/oriel.h"

namespace oriel::log_module {

class FollowedTypes {
 public:
  // Patterns of types' names, separated by commas; "": none. One thread at a time.
  void choose(const std::string& patterns);
  bool any() const { return any_.load(std::memory_order_relaxed); }
  // Whether objects of the class are followed, once types were chosen. Any thread; may lock and ask for the class's
  // name, once for most classes.
  bool has(oriel_class* klass);

 private:
  // What is known of a class: its id, whether it is chosen, and by the how manyth patterns. 0: nothing.
  struct Known {
    uint16_t generation = 0;
    bool is_chosen = false;
    uint32_t id = 0;
  };
  static_assert(std::atomic<Known>::is_always_lock_free);
  static constexpr size_t kKnown = 1 << 13;
  using Patterns = std::vector<std::string>;

  std::atomic<bool> any_{false};
  std::atomic<uint16_t> generation_{0};
  using KnownClasses = std::array<std::atomic<Known>, kKnown>;  // by the last bits of the id
  std::unique_ptr<KnownClasses> known_;                         // made once, before anybody asks
  std::mutex lock_;                                             // guards `patterns_`
  std::shared_ptr<const Patterns> patterns_;
};

}  // namespace oriel::log_module
