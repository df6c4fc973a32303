#include "profile/waiting/waits.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "profile/functions.h"
#include "profile/mono_wrappers.h"
#include "profile/work/category.h"
#include "profile/work/purpose.h"

namespace oriel::profile {
namespace {

// Waiting methods by prefix of their names. If one calls another, the outer one wins: a lock inside Task.Wait says
// nothing to the reader.
struct WaitName {
  std::string_view begins;
  WaitFor what;
};
constexpr WaitName kMethods[] = {
    {"Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.Run(", WaitFor::kIdle},
    {"Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.WaitForShutdown(", WaitFor::kIdle},
    {"Microsoft.AspNetCore.Builder.WebApplication.Run(", WaitFor::kIdle},
    {"System.Threading.Thread.Sleep", WaitFor::kSleep},
    {"System.Threading.Thread.Join", WaitFor::kThread},
    {"System.Threading.Tasks.Parallel", WaitFor::kThread},
    {"System.Threading.Tasks.Task", WaitFor::kTask},
    {"System.Runtime.CompilerServices.TaskAwaiter", WaitFor::kTask},
    {"System.Runtime.CompilerServices.ConfiguredTaskAwaitable", WaitFor::kTask},
    {"System.Runtime.CompilerServices.ValueTaskAwaiter", WaitFor::kTask},
    {"System.Linq.Parallel", WaitFor::kThread},
    {"System.Threading.Monitor.Wait", WaitFor::kSignal},
    {"System.Threading.Monitor.", WaitFor::kLock},
    {"System.Threading.Lock.", WaitFor::kLock},
    {"System.Threading.ReaderWriterLock", WaitFor::kLock},
    {"System.Threading.Mutex.", WaitFor::kLock},
    {"System.Threading.SpinLock.", WaitFor::kLock},
    {"System.Threading.SemaphoreSlim.", WaitFor::kSignal},
    {"System.Threading.ManualResetEventSlim.", WaitFor::kSignal},
    {"System.Threading.CountdownEvent.", WaitFor::kSignal},
    {"System.Threading.Barrier.", WaitFor::kSignal},
    {"System.Threading.WaitHandle.", WaitFor::kSignal},
    {"System.Collections.Concurrent.BlockingCollection", WaitFor::kSignal},
    {"System.Data.Common.Db", WaitFor::kDatabase},
    {"Microsoft.Data.Sqlite.", WaitFor::kDatabase},
    {"Microsoft.Data.SqlClient.", WaitFor::kDatabase},
    {"Npgsql.", WaitFor::kDatabase},
    {"MySqlConnector.", WaitFor::kDatabase},
    {"System.Net.", WaitFor::kNetwork},
    {"System.IO.Pipes.", WaitFor::kFile},
    {"System.Diagnostics.Process.", WaitFor::kProcess},
    {"System.Console.", WaitFor::kConsole},
    {"System.ConsolePal.", WaitFor::kConsole},
    {"System.IO.", WaitFor::kFile},
    {"Microsoft.Win32.SafeHandles.SafeFileHandle.", WaitFor::kFile},
};

constexpr WaitName kMonoLock{"", WaitFor::kLock};

const WaitName* row_of(const Function& function) {
  if (!function.managed) return nullptr;
  if (is_mono_lock_entry(function.name)) return &kMonoLock;
  const std::string_view name = function.name;
  const auto* found = std::ranges::find_if(kMethods, [&](const WaitName& row) { return name.starts_with(row.begins); });
  return found == std::end(kMethods) ? nullptr : found;
}

bool is_of_runtime(const Function& function) {
  for (const std::string_view library : {"libcoreclr.so", "libclrjit.so", "libclrgc.so"})
    if (function.module == library) return true;
  return false;
}

// For library code without a row in the table: work of the runtime or the system.
WaitFor by_purpose(const Function& function, const Profile& profile) {
  switch (purpose_of(function, profile).category) {
    case Category::kAllocation:
    case Category::kGc:
    case Category::kSuspension:
      return WaitFor::kCollection;
    case Category::kJit:
    case Category::kTypes:
    case Category::kTiering:
      return WaitFor::kCompilation;
    default:
      return WaitFor::kSystem;
  }
}

bool is_waiting(const Function& function) {
  return !function.managed && function.name == "[waiting]" && function.module.empty();
}

class StackReader {
 public:
  explicit StackReader(const Profile& profile)
      : profile_(profile), own_(nearest_own_nodes(profile.nodes, profile)), rows_(profile.functions.size()) {
    for (size_t i = 1; i < rows_.size(); ++i) rows_[i] = row_of(profile.functions[i]);
  }

  WaitPlace of(uint32_t node) const {
    const uint32_t own = own_[node];
    if (own == 0 || is_made_for_async_main(function_of(own))) return {};
    std::vector<uint32_t> called;  // callees of own code, innermost first
    for (uint32_t at = node; at != own; at = profile_.nodes[at].parent) called.push_back(profile_.nodes[at].function);
    for (size_t i = called.size(); i-- > 0;)
      if (const WaitName* row = rows_[called[i]]) return {row->what, called[i], own};
    return {by_native(called), called.empty() ? 0 : called.back(), own};
  }

 private:
  // By the native code below managed code. The runtime also enters native code on its own: to suspend for a collection,
  // compile a method or load a type.
  WaitFor by_native(const std::vector<uint32_t>& called) const {
    if (called.empty() || profile_.functions[called[0]].managed) return WaitFor::kMemory;
    bool in_runtime = false;
    for (const uint32_t function : called) {
      if (profile_.functions[function].managed) break;
      const WaitFor what = by_purpose(profile_.functions[function], profile_);
      if (what != WaitFor::kSystem) return what;
      in_runtime |= is_of_runtime(profile_.functions[function]);
    }
    return in_runtime ? WaitFor::kRuntime : WaitFor::kSystem;
  }

  const Function& function_of(uint32_t node) const { return profile_.functions[profile_.nodes[node].function]; }

  const Profile& profile_;
  const std::vector<uint32_t> own_;
  std::vector<const WaitName*> rows_;  // by function
};

bool is_in_pause(int64_t ns, const std::vector<Pause>& pauses) {
  auto after = std::ranges::upper_bound(pauses, ns, {}, &Pause::start_ns);
  return after != pauses.begin() && ns < std::prev(after)->start_ns + std::prev(after)->ns;
}

// A runtime wait while all threads are suspended is a wait for the end of that.
WaitPlace at_moment(WaitPlace place, int64_t ns, const Profile& profile) {
  const bool in_runtime = place.what == WaitFor::kRuntime || place.what == WaitFor::kCompilation;
  if (in_runtime && is_in_pause(ns, profile.pauses)) place.what = WaitFor::kCollection;
  return place;
}

// The key of a row: the kind of wait, the waiting function, and the own function and position.
using Key = std::tuple<WaitFor, uint32_t, uint32_t, uint32_t>;
Key key_of(const WaitPlace& place, const Profile& profile) {
  const Node& own = profile.nodes[place.own];
  return {place.what, place.callee, own.function, own.position};
}

}  // namespace

bool is_pool_thread(const Thread& thread) { return thread.name.starts_with(".NET TP Worker"); }

std::vector<bool> waiting_functions(const Profile& profile) {
  std::vector<bool> waiting(profile.functions.size());
  for (size_t i = 1; i < waiting.size(); ++i) waiting[i] = is_waiting(profile.functions[i]);
  return waiting;
}

std::vector<bool> idle_nodes(const Profile& profile) {
  const StackReader reader(profile);
  const std::vector<bool> waiting = waiting_functions(profile);
  std::vector<bool> idle(profile.nodes.size());
  for (size_t i = 1; i < idle.size(); ++i)
    idle[i] = waiting[profile.nodes[i].function] && reader.of(profile.nodes[i].parent).what == WaitFor::kIdle;
  return idle;
}

void split_waits(Profile& profile) {
  const std::vector<bool> waiting = waiting_functions(profile);
  if (std::ranges::find(waiting, true) == waiting.end()) return;
  const auto waits = [&](const Sample& sample) { return waiting[profile.nodes[sample.node].function]; };
  for (const Sample& sample : profile.samples) {
    if (!waits(sample)) continue;
    profile.waits.push_back(sample);
    profile.waits.back().node = profile.nodes[sample.node].parent;
  }
  if (profile.sampling_mode != "real") std::erase_if(profile.samples.change(), waits);
}

WaitTotals waits(const Profile& profile) {
  const StackReader reader(profile);
  std::map<uint32_t, WaitPlace> place_of;  // by node
  struct Sum {
    WaitRow row;
    std::set<uint32_t> threads;
    std::vector<size_t> waits;  // indexes into Profile::waits
  };
  std::map<Key, Sum> sums;
  std::set<uint32_t> threads;
  WaitTotals all;
  for (const Sample& wait : profile.waits) {
    const auto [known, first] = place_of.try_emplace(wait.node);
    if (first) known->second = reader.of(wait.node);
    const WaitPlace place = at_moment(known->second, wait.ns, profile);
    const bool idle = place.what == WaitFor::kIdle;
    (idle ? all.idle : all.periods) += wait.periods;
    if (idle && !profile.filter.idle) continue;
    Sum& sum = sums[key_of(place, profile)];
    sum.row.place = place;
    sum.row.periods += wait.periods;
    if (is_pool_thread(profile.threads[wait.thread])) sum.row.pool_periods += wait.periods;
    sum.threads.insert(wait.thread);
    sum.waits.push_back(static_cast<size_t>(&wait - profile.waits.data()));
    if (!idle) threads.insert(wait.thread);
  }
  std::vector<const Sum*> order;
  for (const auto& [key, sum] : sums) order.push_back(&sum);
  std::ranges::stable_sort(order, std::greater<>(), [](const Sum* sum) { return sum->row.periods; });
  all.row_of.assign(profile.waits.size(), WaitTotals::kNoRow);
  for (const Sum* sum : order) {
    for (const size_t wait : sum->waits) all.row_of[wait] = static_cast<uint32_t>(all.rows.size());
    all.rows.push_back(sum->row);
    all.rows.back().looks = static_cast<uint32_t>(sum->waits.size());
    all.rows.back().who.assign(sum->threads.begin(), sum->threads.end());
  }
  all.threads = static_cast<uint32_t>(threads.size());
  for (const uint32_t thread : threads)
    all.lived_ns += profile.threads[thread].last_ns - profile.threads[thread].first_ns;
  return all;
}

}  // namespace oriel::profile
