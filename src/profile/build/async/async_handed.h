// Finds the async method that started a call on another thread, by Task.Run or the like. No event names the starting
// call. Among the calls that await at the place where the work was queued, the one that has waited longest is taken,
// because pools work in FIFO order; if there is none, the method's latest call.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace oriel::profile {

struct Queueing {
  uint64_t by = 0;  // id of the async method that queues it
  uint32_t il = 0;  // where it queues it, and usually awaits it
};
using QueuedMethods = std::unordered_map<uint64_t, Queueing>;  // by the id of the queued method

class QueuedCalls {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Starter {
    uint32_t call = kNone;
    uint32_t wait = kNone;  // the starter's wait for the queued call
  };

  explicit QueuedCalls(QueuedMethods handings);

  // Call it for each call, in time order.
  void begins(uint64_t method, uint32_t call);
  // A call started on a thread that was in no other call. `is_open`(wait): the wait has not ended.
  template <typename IsOpen>
  Starter starter_of(const Queueing& handing, uint32_t call, const IsOpen& is_open);
  // For a call that waits: the queued call that started before; kNone if there is none, or if it does not await a
  // queued call.
  uint32_t begun_before(const Queueing& handing, uint32_t call, uint32_t wait);
  // nullptr if no async method queues it.
  const Queueing* queueing_of(uint64_t method) const;

 private:
  using Place = std::pair<uint64_t, uint32_t>;
  struct AtPlace {
    std::deque<std::pair<uint32_t, uint32_t>> waiting;  // (call, wait) pairs
    std::deque<uint32_t> begun;                         // calls that nothing waits for yet
  };

  QueuedMethods handings_;
  std::unordered_map<uint64_t, uint32_t> latest_;  // by queueing method: its latest call
  std::map<Place, AtPlace> places_;
};

template <typename IsOpen>
QueuedCalls::Starter QueuedCalls::starter_of(const Queueing& handing, uint32_t call, const IsOpen& is_open) {
  AtPlace& place = places_[{handing.by, handing.il}];
  while (!place.waiting.empty()) {
    const auto [its, wait] = place.waiting.front();
    place.waiting.pop_front();
    if (is_open(wait)) return {its, wait};
  }
  place.begun.push_back(call);
  return {latest_[handing.by], kNone};
}

}  // namespace oriel::profile
