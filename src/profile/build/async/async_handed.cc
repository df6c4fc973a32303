#include "profile/build/async/async_handed.h"

namespace oriel::profile {

QueuedCalls::QueuedCalls(QueuedMethods handings) : handings_(std::move(handings)) {
  for (const auto& [handed, handing] : handings_) {
    latest_[handing.by] = kNone;
    places_[{handing.by, handing.il}] = {};
  }
}

const Queueing* QueuedCalls::queueing_of(uint64_t method) const {
  const auto found = handings_.find(method);
  return found == handings_.end() ? nullptr : &found->second;
}

void QueuedCalls::begins(uint64_t method, uint32_t call) {
  if (const auto known = latest_.find(method); known != latest_.end()) known->second = call;
}

uint32_t QueuedCalls::begun_before(const Queueing& handing, uint32_t call, uint32_t wait) {
  const auto place = places_.find({handing.by, handing.il});
  if (place == places_.end()) return kNone;
  std::deque<uint32_t>& begun = place->second.begun;
  if (begun.empty()) {
    place->second.waiting.emplace_back(call, wait);
    return kNone;
  }
  const uint32_t result = begun.front();
  begun.pop_front();
  return result;
}

}  // namespace oriel::profile
