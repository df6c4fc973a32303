#include "profile/build/lock_waits.h"

#include <algorithm>

#include "oriel/oriel.h"

namespace oriel::profile {

bool LockWaits::add(uint32_t thread, const log::Event& event, uint32_t stack, Threads& threads) {
  constexpr uint64_t kLongest = 366ull * 86'400 * 1'000'000'000;  // a year: a corrupt log may claim more
  if (event.number == oriel_event_monitor_contention) return true;
  if (event.number != oriel_event_monitor_acquired) return false;
  LockWait wait;
  wait.lock = event.values[1];
  wait.thread = thread;
  if (event.values[2] != 0) wait.owner = threads.index(event.values[2]);
  wait.ns = static_cast<int64_t>(std::min(event.values[3], kLongest));
  wait.node = stack;
  waits_.push_back({event.counter, event.values[0], wait});
  return true;
}

void LockWaits::finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) const {
  for (const Wait& one : waits_) {
    LockWait wait = one.wait;
    wait.end_ns = clock.ns(one.counter);
    Function lock{.name = "System.Threading.Lock", .raw_name = "", .module = "", .type = true};
    wait.type = functions.add(one.klass == 0 ? std::move(lock) : names.type(one.klass));
    profile.lock_waits.push_back(wait);
  }
}

}  // namespace oriel::profile
