#include "runtimes/coreclr/callbacks/callback_state.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace oriel::coreclr {

GcState::Collection GcState::begin(uint32_t generation) {
  const uint32_t number = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  const Collection begun = {number, generation};
  std::atomic<Collection>& first = running_[0];
  std::atomic<Collection>& second = running_[1];
  // With three running, the end of one was missed.
  if (const Collection before = second.load(std::memory_order_relaxed); before.number != 0)
    first.store(before, std::memory_order_relaxed);
  const bool alone = first.load(std::memory_order_relaxed).number == 0;
  (alone ? first : second).store(begun, std::memory_order_relaxed);
  suspend_generation_.store(generation, std::memory_order_relaxed);
  constexpr uint32_t kOldest = 2;
  if (generation == kOldest) oldest_.store(begun, std::memory_order_relaxed);
  return begun;
}

GcState::Collection GcState::end() {
  const bool stopped_it =
      suspended_at_.load(std::memory_order_relaxed) != 0 && suspended_by_.load(std::memory_order_relaxed) == gettid();
  if (!stopped_it && background_.load(std::memory_order_relaxed).number != 0) {
    const Collection background = background_.exchange({}, std::memory_order_relaxed);
    for (std::atomic<Collection>& running : running_)
      if (running.load(std::memory_order_relaxed).number == background.number)
        running.store({}, std::memory_order_relaxed);
    // The later one is in the second place, or in the first if it is alone.
    if (running_[0].load(std::memory_order_relaxed).number == 0)
      running_[0].store(running_[1].exchange({}, std::memory_order_relaxed), std::memory_order_relaxed);
    return background;
  }
  const Collection later = running_[1].exchange({}, std::memory_order_relaxed);
  return later.number != 0 ? later : running_[0].exchange({}, std::memory_order_relaxed);
}

void GcState::suspend_begin(uint32_t reason, uint64_t now_ns) {
  suspend_reason_.store(reason, std::memory_order_relaxed);
  suspend_generation_.store(0, std::memory_order_relaxed);
  suspended_at_.store(now_ns, std::memory_order_relaxed);
  suspended_by_.store(gettid(), std::memory_order_relaxed);
  if (reason == kSuspendForGcPrep) background_.store(oldest_.exchange({}, std::memory_order_relaxed));
}

GcState::Suspension GcState::suspension() const {
  return {suspend_reason_.load(std::memory_order_relaxed), suspend_generation_.load(std::memory_order_relaxed),
          suspended_at_.load(std::memory_order_relaxed)};
}

GcState::Suspension GcState::resume_begin() {
  const Suspension ending = suspension();
  suspended_at_.store(0, std::memory_order_relaxed);
  return ending;
}

bool JitState::knows(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  return versions_.contains(method->id);
}

bool JitState::is_new(const oriel_method* method, uintptr_t version_start) {
  const std::lock_guard lock(mutex_);
  std::vector<uintptr_t>& known = versions_[method->id];
  if (std::find(known.begin(), known.end(), version_start) != known.end()) return false;
  known.push_back(version_start);
  return true;
}

void JitState::forget(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  versions_.erase(method->id);
}

void ThreadNames::keep(ThreadID thread, std::string name) {
  const std::lock_guard lock(mutex_);
  names_[thread] = std::move(name);
}

std::string ThreadNames::take(ThreadID thread) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(thread);
  if (found == names_.end()) return {};
  std::string name = std::move(found->second);
  names_.erase(found);
  return name;
}

}  // namespace oriel::coreclr
