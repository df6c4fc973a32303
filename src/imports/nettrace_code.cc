#include "imports/nettrace_code.h"

#include <algorithm>
#include <iterator>

namespace oriel::imports {

// Removes what overlaps; true if there was something.
bool CodeHistory::cut_out(Map& map, uint64_t begin, uint64_t end) {
  auto at = map.lower_bound(begin);
  if (at != map.begin() && std::prev(at)->second.end > begin) --at;
  bool any = false;
  while (at != map.end() && at->first < end) {
    at = map.erase(at);
    any = true;
  }
  return any;
}

void CodeHistory::put(Map& map, const CodeEvent& event, bool& replaced) {
  if (event.size == 0 || event.begin > UINT64_MAX - event.size) return;
  const uint64_t end = event.begin + event.size;
  const auto same = map.find(event.begin);
  if (same != map.end() && same->second.end == end && same->second.method == event.method) return;
  replaced |= cut_out(map, event.begin, end);
  map[event.begin] = {end, event.method};
}

void CodeHistory::seal() {
  std::ranges::stable_sort(events_, {}, &CodeEvent::time);
  bool replaced = false;
  // What was there at the end, and what went without having come, was there at the beginning; what was loaded serves
  // samples that a clock or another thread puts a little before.
  for (const auto what : {CodeEvent::What::kLoaded, CodeEvent::What::kUnloaded, CodeEvent::What::kThere})
    for (const CodeEvent& event : events_)
      if (event.what == what) put(always_, event, replaced);
}

void CodeHistory::advance(uint64_t time) {
  for (; next_ < events_.size() && events_[next_].time <= time; ++next_) {
    const CodeEvent& event = events_[next_];
    if (event.what == CodeEvent::What::kThere) continue;
    bool replaced = false;
    if (event.what == CodeEvent::What::kLoaded) {
      // Where something else was found before, answers change.
      const uint32_t before = find_in(now_, event.begin);
      const uint32_t usual = find_in(always_, event.begin);
      replaced = before == kNone && usual != kNone && usual != event.method;
      put(now_, event, replaced);
    } else if (event.begin <= UINT64_MAX - event.size) {
      replaced = cut_out(now_, event.begin, event.begin + event.size);
    }
    version_ += replaced;
  }
}

uint32_t CodeHistory::find_in(const Map& map, uint64_t address) {
  auto after = map.upper_bound(address);
  if (after == map.begin()) return kNone;
  --after;
  return address < after->second.end ? after->second.method : kNone;
}

uint32_t CodeHistory::find(uint64_t address, uint64_t time) {
  advance(time);
  const uint32_t method = find_in(now_, address);
  return method != kNone ? method : find_in(always_, address);
}

}  // namespace oriel::imports
