#include "engine/followed_objects.h"

#include <algorithm>

#include "base/followed_part.h"

namespace oriel {

void FollowedObjects::turn(bool on) {
  if (on == is_on()) return;
  std::vector<One> before;
  {
    const std::lock_guard guard(lock_);
    if (on) ones_.reserve(kMost);
    if (!on) before.swap(ones_);
    looked_at_ = 0;
    any_chosen_ = false;
    on_.store(on, std::memory_order_relaxed);
  }
  for (const One& one : before) handles_.free(one.handle);
}

// No collection can begin while the thread is here, so it must not wait for one that holds the lock.
uint32_t FollowedObjects::follow(uintptr_t object, uint64_t size) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock() || !is_on()) return 0;
  const uint32_t number = ++numbers_;
  if (!is_in_followed_part(number, size, part_) || ones_.size() >= most()) return 0;
  const uintptr_t handle = handles_.make(object);
  if (handle == 0) return 0;
  ones_.push_back({handle, size, number});  // within the reserved capacity
  return number;
}

// Making a handle waits for a collection, which waits for the lock when it ends: so the handle is made before.
uint32_t FollowedObjects::follow_pinned(uintptr_t object, uint64_t size) {
  const uintptr_t handle = is_on() ? handles_.make(object) : 0;
  if (handle == 0) return 0;
  uint32_t number = 0;
  {
    const std::lock_guard guard(lock_);
    any_chosen_ = true;
    if (is_on() && is_in_followed_part(numbers_ + 1, size, part_) && ones_.size() < most()) {
      ones_.push_back({handle, size, numbers_ + 1});
      number = numbers_ + 1;
    }
    ++numbers_;
  }
  if (number == 0) handles_.free(handle);
  return number;
}

FollowedObjects::Found FollowedObjects::look(bool all, uint64_t now_ns, IfBusy if_busy) {
  Found found;
  std::unique_lock guard(lock_, std::defer_lock);
  if (if_busy == IfBusy::kWait) {
    guard.lock();
  } else if (!guard.try_lock()) {
    found.was_busy = true;
    return found;
  }
  const bool come_too_often = are_too_many(now_ns);
  const auto first = ones_.begin() + static_cast<ptrdiff_t>(all ? 0 : looked_at_);
  found.gone.reserve(static_cast<size_t>(ones_.end() - first));
  const auto is_gone = [&](const One& one) {
    if (!handles_.is_empty(one.handle)) return false;
    handles_.free(one.handle);
    found.gone.push_back(one.number);
    return true;
  };
  ones_.erase(std::remove_if(first, ones_.end(), is_gone), ones_.end());
  if ((come_too_often && !any_chosen_) || ones_.size() > most() / 2) let_go_of_part(found);
  looked_at_ = ones_.size();
  looked_ns_ = now_ns;
  return found;
}

FollowedObjects::Found FollowedObjects::let_go(const std::function<bool(uintptr_t handle)>& wanted) {
  Found found;
  const std::lock_guard guard(lock_);
  size_t looked_at = 0;
  for (size_t i = 0, kept = 0; i < ones_.size(); ++i) {
    const One one = ones_[i];
    if (wanted(one.handle)) {
      handles_.free(one.handle);
      found.gone.push_back(one.number);
      continue;
    }
    ones_[kept++] = one;
    if (i < looked_at_) looked_at = kept;
  }
  ones_.resize(ones_.size() - found.gone.size());
  looked_at_ = looked_at;
  return found;
}

// A small number may be chance.
bool FollowedObjects::are_too_many(uint64_t now_ns) {
  constexpr uint64_t kFew = 100, kSecond = 1'000'000'000;
  const uint64_t added = ones_.size() - looked_at_;
  return looked_ns_ != 0 && added > kFew && added * kSecond / kOften > now_ns - looked_ns_;
}

void FollowedObjects::let_go_of_part(Found& found) {
  part_ *= 2;
  found.part = part_;
  std::erase_if(ones_, [&](const One& one) {
    if (is_in_followed_part(one.number, one.size, part_)) return false;
    handles_.free(one.handle);
    return true;
  });
}

}  // namespace oriel
