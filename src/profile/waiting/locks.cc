#include "profile/waiting/locks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "log/format.h"
#include "profile/mono_wrappers.h"
#include "profile/trees/node_place.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

using LockKey = std::pair<uint32_t, uint64_t>;  // process, lock
LockKey lock_of(const LockWait& wait, const Profile& profile) {
  return {profile.threads[wait.thread].process, wait.lock};
}

// How many waits it stands for: short waits are logged with a probability in proportion to their length.
double weight(const LockWait& wait) {
  constexpr auto kWhole = static_cast<double>(log::kWholeLockWait);
  return wait.ns <= 0 ? 1 : std::max(1.0, kWhole / static_cast<double>(wait.ns));
}

// A lock's owner from that time on.
struct Owner {
  int64_t from_ns;
  uint32_t thread;
  auto operator<=>(const Owner&) const = default;
};

// By lock, in time order: a wait's start names the current owner, and its end makes the waiter the owner.
std::map<LockKey, std::vector<Owner>> owners(const Profile& profile) {
  std::map<LockKey, std::vector<Owner>> all;
  for (const LockWait& wait : profile.lock_waits) {
    std::vector<Owner>& of_lock = all[lock_of(wait, profile)];
    if (wait.owner != LockWait::kNobody) of_lock.push_back({wait.end_ns - wait.ns, wait.owner});
    of_lock.push_back({wait.end_ns, wait.thread});
  }
  for (auto& [lock, of_lock] : all) std::ranges::sort(of_lock);
  return all;
}

// Running and waiting samples by thread, in time order.
class ThreadSamples {
 public:
  explicit ThreadSamples(const Profile& profile) : of_thread_(profile.threads.size()) {
    if (profile.sample_window_ns > 0) return;  // what a thread did at a time is not known
    period_ns_ = profile.sampling_hz == 0 ? 0 : 1'000'000'000 / static_cast<int64_t>(profile.sampling_hz);
    for (const Sample& sample : profile.samples) of_thread_[sample.thread].push_back(sample);
    if (profile.sampling_mode != "real")
      for (const Sample& wait : profile.waits) of_thread_[wait.thread].push_back(wait);
    for (std::vector<Sample>& samples : of_thread_) std::ranges::stable_sort(samples, {}, &Sample::ns);
  }

  // Calls `add` with each node of the thread in that time, and the duration. A sample covers the time before it.
  template <typename Add>
  void between(uint32_t thread, int64_t from, int64_t to, Add add) const {
    constexpr int64_t kLongestSpan = 1'000'000'000;
    const std::vector<Sample>& samples = of_thread_[thread];
    for (auto at = std::ranges::lower_bound(samples, from, {}, &Sample::ns); at != samples.end(); ++at) {
      const int64_t begin = at->ns - static_cast<int64_t>(std::min<uint64_t>(at->periods, UINT32_MAX)) * period_ns_;
      if (at->ns - kLongestSpan > to) return;
      const int64_t overlap = std::min(to, at->ns) - std::max(from, begin);
      if (overlap > 0) add(at->node, overlap);
    }
  }

 private:
  std::vector<std::vector<Sample>> of_thread_;
  int64_t period_ns_ = 0;
};

// "System.Buffers.SharedArrayPool<T>" for "System.Buffers.SharedArrayPool<T>.Rent(int)".
std::string_view type_of(std::string_view method) {
  method = method.substr(0, method.find('('));
  const size_t end = method.rfind('.');
  return end == std::string_view::npos ? method : method.substr(0, end);
}

// Sums of one place's waits.
struct Sum {
  LockPlace place;
  double waited_ns = 0;
  double waits = 0;
  std::set<uint32_t> threads;
  std::map<LockKey, std::vector<std::pair<int64_t, int64_t>>> spans;  // from, to
  std::map<uint32_t, LockHolding> held;                               // by own node
};

// Length of the union of the spans.
int64_t union_length(std::vector<std::pair<int64_t, int64_t>>& spans) {
  std::ranges::sort(spans);
  int64_t sum = 0, until = INT64_MIN;
  for (const auto& [from, to] : spans) {
    if (to <= until) continue;
    sum += to - std::max(from, until);
    until = to;
  }
  return sum;
}

void finish(Sum& sum) {
  LockPlace& place = sum.place;
  place.waited_ns = std::llround(std::min(sum.waited_ns, 9e18));
  place.waits = static_cast<uint64_t>(std::llround(std::min(sum.waits, 9e18)));
  place.threads = static_cast<uint32_t>(sum.threads.size());
  place.locks = static_cast<uint32_t>(sum.spans.size());
  double waited = 0, any = 0;
  for (auto& [lock, spans] : sum.spans) {
    for (const auto& [from, to] : spans) waited += static_cast<double>(to - from);
    any += static_cast<double>(union_length(spans));
  }
  place.at_once = any > 0 ? waited / any : 1;
  for (const auto& [at, holding] : sum.held) place.held.push_back(holding);
  std::ranges::stable_sort(place.held, std::greater<>(), &LockHolding::held_ns);
}

class LockReader {
 public:
  explicit LockReader(const Profile& profile)
      : profile_(profile), own_(nearest_own_nodes(profile.nodes, profile)), owners_(owners(profile)), doing_(profile) {}

  void add(const LockWait& wait) {
    const uint32_t own = own_[wait.node];
    const auto [function, position] = place_of(own, profile_);
    Sum& sum = sums_[{wait.type, function, position}];
    sum.place.type = wait.type;
    sum.place.own = own;
    sum.place.taken_by = acquirer(wait.node, own);
    const double stands_for = weight(wait);
    sum.waits += stands_for;
    sum.waited_ns += stands_for * static_cast<double>(wait.ns);
    sum.place.longest_ns = std::max(sum.place.longest_ns, wait.ns);
    sum.threads.insert(wait.thread);
    sum.spans[lock_of(wait, profile_)].emplace_back(wait.end_ns - wait.ns, wait.end_ns);
    add_holders(wait, sum);
  }

  std::vector<LockPlace> take() {
    std::vector<LockPlace> all;
    for (auto& [key, sum] : sums_) {
      finish(sum);
      all.push_back(std::move(sum.place));
    }
    std::ranges::stable_sort(all, std::greater<>(), &LockPlace::waited_ns);
    return all;
  }

 private:
  // The callee of own code that acquires the lock; 0 if that is Monitor or Lock itself.
  uint32_t acquirer(uint32_t node, uint32_t own) const {
    uint32_t called = 0;
    for (; node != own && node != 0; node = profile_.nodes[node].parent) called = profile_.nodes[node].function;
    const Function& function = profile_.functions[called];
    if (is_mono_lock_entry(function.name)) return 0;
    for (const std::string_view type : {"System.Threading.Monitor.", "System.Threading.Lock."})
      if (function.name.starts_with(type)) return 0;
    return function.managed ? called : 0;
  }

  void add_holders(const LockWait& wait, Sum& sum) {
    const std::vector<Owner>& of_lock = owners_.at(lock_of(wait, profile_));
    int64_t from = wait.end_ns - wait.ns;
    auto after = std::ranges::upper_bound(of_lock, from, {}, &Owner::from_ns);
    while (after != of_lock.begin() && from < wait.end_ns) {
      const int64_t to = after == of_lock.end() ? wait.end_ns : std::min(after->from_ns, wait.end_ns);
      add_holder(std::prev(after)->thread, from, to, sum);
      if (after == of_lock.end()) return;
      from = to;
      ++after;
    }
  }

  void add_holder(uint32_t thread, int64_t from, int64_t to, Sum& sum) {
    doing_.between(thread, from, to, [&](uint32_t node, int64_t ns) {
      const uint32_t own = own_[node];
      const NodePlace place = place_of(own, profile_);
      // A thread that waits there again has released the lock to an unknown thread.
      if (own == 0 || place == place_of(sum.place.own, profile_)) return;
      if (sum.place.taken_by != 0 && !is_within(sum.place.taken_by, node, own)) return;
      LockHolding& holding = sum.held[own];
      holding.own = own;
      holding.held_ns += ns;
    });
  }

  // Whether own code is in the acquiring method or another one of its class: a library's lock is held only within its
  // methods.
  bool is_within(uint32_t taken_by, uint32_t node, uint32_t own) const {
    const std::string_view type = type_of(profile_.functions[taken_by].name);
    for (; node != own && node != 0; node = profile_.nodes[node].parent)
      if (type_of(profile_.functions[profile_.nodes[node].function].name) == type) return true;
    return false;
  }

  const Profile& profile_;
  const std::vector<uint32_t> own_;
  const std::map<LockKey, std::vector<Owner>> owners_;
  const ThreadSamples doing_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Sum> sums_;  // by type and place
};

}  // namespace

std::vector<LockPlace> lock_places(const Profile& profile) {
  if (profile.lock_waits.empty()) return {};
  LockReader reader(profile);
  for (const LockWait& wait : profile.lock_waits) reader.add(wait);
  return reader.take();
}

}  // namespace oriel::profile
