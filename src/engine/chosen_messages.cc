#include "engine/chosen_messages.h"

#include <algorithm>

#include "base/clock.h"

namespace oriel {

bool ChosenMessages::is_due() {
  const uint64_t now = clock_monotonic_ns();
  uint64_t due = due_.load(std::memory_order_relaxed);
  return now >= due && due_.compare_exchange_strong(due, now + kOften);
}

bool ChosenMessages::wants_more(uintptr_t klass) {
  const std::lock_guard guard(lock_);
  return known_[klass].count < kOfClass;
}

bool ChosenMessages::is_new(uintptr_t klass, uint64_t hash) {
  const std::lock_guard guard(lock_);
  OfClass& known = known_[klass];
  const auto end = known.hashes.begin() + static_cast<ptrdiff_t>(known.count);
  if (known.count == kOfClass || std::find(known.hashes.begin(), end, hash) != end) return false;
  known.hashes[known.count++] = hash;
  return true;
}

}  // namespace oriel
