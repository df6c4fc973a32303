#include "report/waiting/sampled_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "profile/recorded.h"
#include "profile/waiting/locks.h"
#include "profile/waiting/waits.h"
#include "report/waiting/waits.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

// By the name of the waiting method, as own code calls it.
struct SampledKind {
  std::string_view begins;
  const char* type;
  assembly::LockKind kind;
};
constexpr SampledKind kSampledKinds[] = {
    {"System.Threading.Monitor.Wait", nullptr, assembly::LockKind::kMonitor},  // waits for a condition, not for the
                                                                               // lock
    {"System.Threading.Monitor.", "object", assembly::LockKind::kMonitor},
    {"System.Threading.Lock.", "Lock", assembly::LockKind::kMonitor},
    {"System.Threading.ReaderWriterLockSlim.", "ReaderWriterLockSlim", assembly::LockKind::kReaderWriter},
    {"System.Threading.ReaderWriterLock.", "ReaderWriterLock", assembly::LockKind::kReaderWriter},
    {"System.Threading.SemaphoreSlim.", "SemaphoreSlim", assembly::LockKind::kSemaphore},
};

const SampledKind* sampled_kind_of(const profile::Function& function) {
  const auto* row = std::ranges::find_if(
      kSampledKinds, [&](const SampledKind& kind) { return std::string_view(function.name).starts_with(kind.begins); });
  return row == std::end(kSampledKinds) || row->type == nullptr ? nullptr : row;
}

// Own functions with contention events for Monitor and Lock.
std::set<uint32_t> told_one_by_one(const Profile& profile) {
  std::set<uint32_t> functions;
  for (const profile::LockPlace& place : profile::lock_places(profile))
    functions.insert(profile.nodes[place.own].function);
  return functions;
}

}  // namespace

std::vector<SampledLock> sampled_locks(const Profile& profile, const Options& options) {
  const std::set<uint32_t> told = told_one_by_one(profile);
  ShownPlaces places(profile, options);
  LockNames names(profile, places);
  std::map<std::tuple<std::string, uint32_t, std::string>, SampledLock> sums;
  for (const profile::WaitRow& row : profile::waits(profile).rows) {
    const SampledKind* const kind = sampled_kind_of(profile.functions[row.place.callee]);
    if (!kind || row.place.own == 0) continue;
    if (kind->kind == assembly::LockKind::kMonitor && told.contains(profile.nodes[row.place.own].function)) continue;
    const ShownPlace at = places.of(row.place.own);
    const auto [known, first] = sums.try_emplace({kind->type, at.function, at.line.text});
    SampledLock& sum = known->second;
    if (first) sum = {kind->type, names.of(row.place.own, kind->kind), at, 0, 0, {}};
    sum.waited_ns += ns_of(row.periods, profile);
    sum.looks += row.looks;
    sum.threads.insert(row.who.begin(), row.who.end());
  }
  std::vector<SampledLock> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  std::ranges::stable_sort(all, std::greater<>(), &SampledLock::waited_ns);
  return all;
}

std::string lock_text(const std::string& type, const LockName& name) {
  if (name.name.empty()) return type == "object" ? "a lock" : fmt::format("a lock ({})", type);
  const std::string made = name.made_text();
  return "the lock " + name.text() + (made.empty() ? "" : " (" + made + ")");
}

void write_sampled_locks(const std::vector<SampledLock>& locks, const Profile& profile, const Options& options,
                         std::ostream& out) {
  constexpr size_t kMost = 20;
  Table table({{"waited"}, {"threads"}, {"kind", Table::Align::kLeft}}, "waited in your code, by samples");
  for (size_t i = 0; i < std::min(locks.size(), rows(options, kMost)); ++i) {
    const SampledLock& lock = locks[i];
    table.add({duration(lock.waited_ns), count(lock.threads.size()), lock.type},
              [&](size_t width) { return fit_at_line(profile.functions[lock.at.function], lock.at.line.text, width); });
    for (const std::string& text : {lock.name.name.empty() ? "" : "it is " + lock.name.text(), lock.name.made_text()})
      if (!text.empty()) table.add({"", "", ""}, [text](size_t width) { return cut_middle("  " + text, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
}

Json sampled_locks_json(const std::vector<SampledLock>& locks, const Profile& profile) {
  Json json = Json::array();
  for (const SampledLock& lock : locks) {
    Json one = {{"type", lock.type}, {"waited_ns", lock.waited_ns}, {"threads", lock.threads.size()}};
    add_place(lock.at, profile, one);
    if (!lock.name.name.empty()) one["lock"] = lock.name.name;
    if (!lock.name.made_in.empty()) one["made"] = {{"in", lock.name.made_in}};
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace oriel::report
