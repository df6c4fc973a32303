#include "profile/build/lock_waits.h"

#include <algorithm>

#include "profile/build/threads.h"
namespace oriel::profile {

void LockWaits::add(const Incoming& told) {
  constexpr uint64_t kLongest = 366ull * 86'400 * 1'000'000'000;  // a year; a corrupt log may claim more
  const log::Event& event = told.event;
  LockWait wait;
  wait.lock = event.values[1];
  wait.thread = told.thread;
  if (event.values[2] != 0) wait.owner = told.threads.index(event.values[2]);
  wait.ns = static_cast<int64_t>(std::min(event.values[3], kLongest));
  wait.node = told.stack;
  waits_.push_back({event.counter, event.values[0], wait});
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
