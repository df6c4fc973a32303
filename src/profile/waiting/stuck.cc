#include "profile/waiting/stuck.h"

#include <algorithm>
#include <functional>

namespace oriel::profile {
namespace {

// When a thread was last seen waiting for a lock, and when it last did something else.
struct LastOfThread {
  int64_t wait_ns = -1;
  int64_t other_ns = 0;
  WaitPlace place;
};

std::vector<LastOfThread> last_of_threads(const WaitTotals& all, const Profile& profile) {
  std::vector<LastOfThread> last(profile.threads.size());
  const auto place_of = [&](size_t wait) {
    return all.row_of[wait] == WaitTotals::kNoRow ? WaitPlace() : all.rows[all.row_of[wait]].place;
  };
  for (size_t i = 0; i < profile.waits.size(); ++i) {
    LastOfThread& of = last[profile.waits[i].thread];
    if (profile.waits[i].ns > of.wait_ns) of = {profile.waits[i].ns, 0, place_of(i)};
  }
  for (size_t i = 0; i < profile.waits.size(); ++i) {
    LastOfThread& of = last[profile.waits[i].thread];
    const WaitPlace place = place_of(i);
    if (place.what != of.place.what || place.own != of.place.own)
      of.other_ns = std::max(of.other_ns, profile.waits[i].ns);
  }
  for (const Sample& sample : profile.samples)
    last[sample.thread].other_ns = std::max(last[sample.thread].other_ns, sample.ns);
  // A thread that got a lock may have had it too briefly to be seen with it.
  for (const LockWait& wait : profile.lock_waits)
    last[wait.thread].other_ns = std::max(last[wait.thread].other_ns, wait.end_ns);
  return last;
}

}  // namespace

std::vector<StuckThread> stuck_on_locks(const WaitTotals& waits, const Profile& profile) {
  constexpr int64_t kUntilEnd = 500'000'000;  // waiting threads are observed at intervals
  std::vector<StuckThread> stuck;
  if (profile.processes.size() > 1 || profile.sampling_mode == "real") return stuck;
  // What else the threads did is not known.
  if (!profile.filter.method.empty() || profile.filter.has_time()) return stuck;
  const std::vector<LastOfThread> last = last_of_threads(waits, profile);
  for (uint32_t thread = 0; thread < last.size(); ++thread) {
    const LastOfThread& of = last[thread];
    if (of.place.what != WaitFor::kLock || of.place.own == 0 || profile.wall_ns - of.wait_ns > kUntilEnd) continue;
    stuck.push_back({thread, of.place.own, of.wait_ns - std::max(of.other_ns, profile.threads[thread].first_ns)});
  }
  std::ranges::stable_sort(stuck, std::greater<>(), &StuckThread::ns);
  return stuck;
}

}  // namespace oriel::profile
