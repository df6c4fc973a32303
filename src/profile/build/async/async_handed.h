// Who began what an async method hands to other threads, by Task.Run or the like: no event tells which of its calls it
// was. One that waits where it handed it over is taken, the longest first, as pools work on things in the order in
// which they come; else its latest.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace oriel::profile {

struct Handing {
  uint64_t by = 0;  // id of the async method
  uint32_t il = 0;  // where it hands it over, and mostly awaits it
};
using Handings = std::unordered_map<uint64_t, Handing>;  // by the id of what is handed over

class HandedCalls {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Starter {
    uint32_t call = kNone;
    uint32_t wait = kNone;  // of it for the one that began
  };

  explicit HandedCalls(Handings handings);

  // Calls are told in the order of time.
  void begins(uint64_t method, uint32_t call);
  // A call began where no other was on the thread. `is_open`(wait): it is not over.
  template <typename IsOpen>
  Starter starter_of(const Handing& handing, uint32_t call, const IsOpen& is_open);
  // The call that began before this wait for it; kNone: none, or what is awaited there is no such call.
  uint32_t begun_before(const Handing& handing, uint32_t call, uint32_t wait);
  // nullptr: nobody hands it over.
  const Handing* handing_of(uint64_t method) const;

 private:
  using Place = std::pair<uint64_t, uint32_t>;
  struct AtPlace {
    std::deque<std::pair<uint32_t, uint32_t>> waiting;  // calls with their waits
    std::deque<uint32_t> begun;                         // calls that nobody waits for yet
  };

  Handings handings_;
  std::unordered_map<uint64_t, uint32_t> latest_;  // calls, by method that hands over
  std::map<Place, AtPlace> places_;
};

template <typename IsOpen>
HandedCalls::Starter HandedCalls::starter_of(const Handing& handing, uint32_t call, const IsOpen& is_open) {
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
