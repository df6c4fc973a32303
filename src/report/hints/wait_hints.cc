#include "report/hints/wait_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/waiting/stuck.h"
#include "profile/waiting/waits.h"
#include "profile/work/category.h"
#include "report/waiting/locks.h"
#include "report/waiting/sampled_locks.h"
#include "report/waiting/waits.h"
#include "report/words/known_locks.h"
#include "report/words/more.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::WaitFor;

namespace {

constexpr double kAllOfPool = 0.5;  // of the time of as many threads as there are processors

constexpr const char* kLockAdvice = ". Shorten the critical section, or use finer-grained locks.";

// For a known lock of a library, if waits are long enough to act on.
std::optional<Hint> known_lock_hint(const ShownLock& lock, int64_t waited_ns, const KnownLock& known,
                                    const Profile& profile) {
  constexpr int64_t kPartOfRun = 2;  // several threads wait at a time
  if (waited_ns < profile.wall_ns / kPartOfRun) return std::nullopt;
  return Hint{"library-lock", 0,
              fmt::format("Threads waited {} for {} in {}. {}", duration(waited_ns), known.what,
                          place_text(lock.at, profile), known.advice),
              "oriel report locks"};
}

// Wait time there by samples, as in the summary's first lines; without samples, by contention events. Events include
// the time until the thread has a processor again, which is not the lock's fault.
int64_t waited_at(const ShownLock& lock, const std::vector<ShownWait>& waits, const Profile& profile) {
  uint64_t periods = 0;
  for (const ShownWait& wait : waits)
    if (wait.what == WaitFor::kLock && wait.at.function == lock.at.function && wait.at.line.text == lock.at.line.text)
      periods += wait.periods;
  return periods == 0 ? lock.figures.waited_ns : ns_of(periods, profile);
}

// The lock with the longest wait time.
std::optional<Hint> lock_hint(const std::vector<ShownWait>& waits, const Profile& profile) {
  const std::vector<ShownLock> locks = shown_locks(profile, Options());
  if (locks.empty() || locks[0].at.function == 0) return std::nullopt;
  const ShownLock& lock = locks[0];
  const int64_t waited_ns = waited_at(lock, waits, profile);
  if (!is_significant_wait(waited_ns, profile)) return std::nullopt;
  if (const KnownLock* const known = known_lock(lock.type)) return known_lock_hint(lock, waited_ns, *known, profile);
  // A library's lock cannot be changed by own code; reports show its waits and what acquires it.
  if (lock.figures.taken_by != 0) return std::nullopt;
  constexpr double kQueue = 1.5;
  std::string text = fmt::format("Threads waited {} for {} in {}", duration(waited_ns), lock_text(lock.type, lock.name),
                                 place_text(lock.at, profile));
  if (lock.figures.at_once >= kQueue) text += fmt::format(", with {:.1f} waiters on average", lock.figures.at_once);
  if (!lock.held.empty()) text += fmt::format("; meanwhile it was held in {}", place_text(lock.held[0].at, profile));
  return Hint{"lock", 0, text + kLockAdvice, "oriel report locks"};
}

// The same for locks without contention events; semaphores have their own hint.
std::optional<Hint> sampled_lock_hint(const Profile& profile) {
  for (const SampledLock& lock : sampled_locks(profile, Options())) {
    if (lock.type == "SemaphoreSlim" || lock.at.function == 0) continue;
    if (!is_significant_wait(lock.waited_ns, lock.looks, profile)) return std::nullopt;
    return Hint{"lock", 0,
                fmt::format("Threads waited {} for {} in {}", duration(lock.waited_ns), lock_text(lock.type, lock.name),
                            place_text(lock.at, profile)) +
                    kLockAdvice,
                "oriel report locks"};
  }
  return std::nullopt;
}

// Threads that may wait for a lock forever: a possible deadlock.
std::optional<Hint> stuck_hint(const profile::WaitTotals& waits, const Profile& profile) {
  constexpr int64_t kLeast = 1'000'000'000, kPartOfRun = 5;
  std::vector<profile::StuckThread> stuck = profile::stuck_on_locks(waits, profile);
  std::erase_if(
      stuck, [&](const profile::StuckThread& one) { return one.ns < std::max(kLeast, profile.wall_ns / kPartOfRun); });
  if (stuck.size() < 2) return std::nullopt;
  ShownPlaces places(profile, Options());
  std::vector<std::string> where;
  for (const profile::StuckThread& one : stuck) {
    std::string text = place_text(places.of(one.own), profile);
    if (std::ranges::find(where, text) == where.end()) where.push_back(std::move(text));
  }
  constexpr size_t kShown = 3;
  std::string all = where[0];
  for (size_t i = 1; i < std::min(kShown, where.size()); ++i) all += " and " + where[i];
  if (where.size() > kShown) all += fmt::format(" and {} more places", where.size() - kShown);
  return Hint{"stuck", 0,
              fmt::format("{} threads were seen only waiting for locks until the log ended: in {}, for up to {}. This "
                          "may be a deadlock: "
                          "if so, take the locks in the same order everywhere. If not, look at what their owners do.",
                          stuck.size(), all, duration(stuck[0].ns)),
              "oriel report threads"};
}

// The largest number of pool threads at a time, of the process with most.
size_t pool_threads(const Profile& profile) {
  // By process: when threads begin (+1) and end (-1), an end before a beginning at the same time.
  std::map<uint32_t, std::vector<std::pair<int64_t, int>>> changes;
  for (const profile::Thread& thread : profile.threads) {
    if (!profile::is_pool_thread(thread)) continue;
    changes[thread.process].emplace_back(thread.first_ns, 1);
    changes[thread.process].emplace_back(std::max(thread.first_ns, thread.last_ns) + 1, -1);
  }
  int most = 0;
  for (auto& [process, all] : changes) {
    std::ranges::sort(all);
    int now = 0;
    for (const auto& [ns, change] : all) most = std::max(most, now += change);
  }
  return static_cast<size_t>(most);
}

// Pool threads blocked on tasks keep other work from running, including that of these tasks.
std::optional<Hint> blocked_pool_hint(const std::vector<ShownWait>& shown, const Profile& profile) {
  const auto blocks = [](const ShownWait& wait) {
    return wait.pool_periods > 0 &&
           (wait.what == WaitFor::kTask || wait.what == WaitFor::kSignal || wait.what == WaitFor::kSleep);
  };
  const auto most =
      std::ranges::max_element(shown, {}, [&](const ShownWait& wait) { return blocks(wait) ? wait.pool_periods : 0; });
  if (most == shown.end() || !blocks(*most) ||
      !is_significant_wait(ns_of(most->pool_periods, profile), most->looks, profile))
    return std::nullopt;
  // While the pool has enough threads, a blocked one delays nothing.
  const size_t threads = pool_threads(profile);
  const uint64_t cores = profile::number_property(profile.intro, log::property::kCores);
  const bool many = cores > 0 && threads > 2 * cores;
  if (!many && static_cast<double>(ns_of(most->pool_periods, profile)) <
                   kAllOfPool * static_cast<double>(cores) * static_cast<double>(profile.wall_ns))
    return std::nullopt;
  std::string text = fmt::format("Pool threads waited {} for {} in {}", time_of(most->pool_periods, profile),
                                 most->text, place_text(most->at, profile));
  if (many) text += fmt::format("; the pool had up to {} threads at a time", threads);
  text += most->what == WaitFor::kSleep ? ". Use await Task.Delay there."
                                        : ". Use await there: a blocked pool thread cannot run other work.";
  return Hint{"pool-blocked", 0, std::move(text), "oriel report waits"};
}

// Objects with finalizers live until these have run, and the next collection after that.
std::optional<Hint> finalizer_hint(const Profile& profile) {
  const std::vector<uint32_t> own = profile::nearest_own_nodes(profile.nodes, profile);
  std::vector<bool> finalizes(profile.threads.size());
  for (size_t i = 0; i < finalizes.size(); ++i) finalizes[i] = profile.threads[i].name == ".NET Finalizer";
  std::map<uint32_t, uint64_t> by_node;
  uint64_t sum = 0;
  const auto add = [&](const profile::Sample& sample) {
    if (!finalizes[sample.thread] || own[sample.node] == 0) return;
    by_node[own[sample.node]] += sample.periods;
    sum += sample.periods;
  };
  for (const profile::Sample& sample : profile.samples) add(sample);
  if (profile.sampling_mode != "real")
    for (const profile::Sample& wait : profile.waits) add(wait);
  constexpr double kBusy = 0.3;
  const int64_t wall_ns = profile::kept_ns(profile);
  if (static_cast<double>(ns_of(sum, profile)) < kBusy * static_cast<double>(wall_ns) ||
      !are_significant_samples(sum, profile))
    return std::nullopt;
  const auto most = std::ranges::max_element(by_node, {}, [](const auto& entry) { return entry.second; });
  const ShownPlace place = ShownPlaces(profile, Options()).of(most->first);
  return Hint{"finalizers", 0,
              fmt::format("Finalizers ran for {} of {}, most of it in {}. They run one at a time on one thread, and "
                          "their objects stay in memory until then. Dispose objects (using) and have Dispose call "
                          "GC.SuppressFinalize, or make the finalizers short.",
                          time_of(sum, profile), duration(wall_ns), place_text(place, profile)),
              lines_command(profile.functions[place.function])};
}

}  // namespace

void add_wait_hints(const Profile& profile, std::vector<Hint>& to) {
  const auto add = [&](std::optional<Hint> hint) {
    if (hint) to.push_back(std::move(*hint));
  };
  add(finalizer_hint(profile));
  const profile::WaitTotals waits = profile::waits(profile);
  const std::vector<ShownWait> shown = shown_waits(waits, profile, Options());
  add(blocked_pool_hint(shown, profile));
  // For a lock that is never released, advice about the critical section is pointless.
  std::optional<Hint> lock = stuck_hint(waits, profile);
  if (!lock && !profile.lock_waits.empty()) lock = lock_hint(shown, profile);
  add(lock ? lock : sampled_lock_hint(profile));
}

}  // namespace oriel::report
