#include "report/waiting/locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "base/text/function_names.h"
#include "log/properties.h"
#include "profile/mono_wrappers.h"
#include "profile/recorded.h"
#include "profile/trees/call_tree.h"
#include "report/waiting/sampled_locks.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/known_locks.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

constexpr size_t kLockRows = 20;
constexpr size_t kHolders = 3;

// Merges positions in one line.
std::vector<ShownHolder> holders(const std::vector<profile::LockHolding>& held, ShownPlaces& places) {
  std::map<std::tuple<uint32_t, std::string>, ShownHolder> sums;
  for (const profile::LockHolding& holding : held) {
    const ShownPlace place = places.of(holding.own);
    ShownHolder& sum = sums.try_emplace({place.function, place.line.text}, ShownHolder{place}).first->second;
    sum.ns += holding.held_ns;
  }
  std::vector<ShownHolder> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  std::ranges::stable_sort(all, std::greater<>(), &ShownHolder::ns);
  return all;
}

std::string waiter_text(const ShownPlace& place, const Profile& profile, size_t width) {
  return place.function == 0 ? cut_end("none of your code", width)
                             : fit_at_line(profile.functions[place.function], place.line.text, width);
}

std::string taker_name(const ShownLock& lock, const Profile& profile) {
  return profile::without_mono_wrapper(profile.functions[lock.figures.taken_by].name);
}

// What identifies the lock among those of its type: its name and where it is made, or what acquires it.
std::vector<std::string> which_texts(const ShownLock& lock, const Profile& profile) {
  std::vector<std::string> texts;
  if (const KnownLock* const known = known_lock(lock.type)) texts.push_back(std::string("it is ") + known->what);
  if (lock.figures.taken_by != 0) texts.push_back("taken by " + clean(without_parameters(taker_name(lock, profile))));
  if (!lock.name.name.empty()) texts.push_back("it is " + lock.name.text());
  if (!lock.name.made_in.empty()) texts.push_back(lock.name.made_text());
  return texts;
}

void add_rows(const ShownLock& lock, const Profile& profile, Table& table) {
  constexpr size_t kTypeWidth = 24;
  const profile::LockPlace& figures = lock.figures;
  table.add({duration(figures.waited_ns), count(figures.waits), duration(figures.longest_ns),
             fmt::format("{:.1f}", figures.at_once), fit_name(lock.type, kTypeWidth)},
            [&](size_t width) { return waiter_text(lock.at, profile, width); });
  for (const std::string& text : which_texts(lock, profile))
    table.add({"", "", "", "", ""}, [text](size_t width) { return cut_middle("  " + text, width); });
  int64_t all = 0;
  for (const ShownHolder& holder : lock.held) all += holder.ns;
  for (size_t i = 0; i < std::min(kHolders, lock.held.size()); ++i) {
    const ShownHolder& holder = lock.held[i];
    table.add({"", "", "", "", ""}, [&holder, &profile, all](size_t width) {
      const std::string begin = fmt::format("  held {} in ", percent(positive(holder.ns), positive(all)));
      return begin + fit_at_line(profile.functions[holder.at.function], holder.at.line.text,
                                 width > begin.size() ? width - begin.size() : 1);
    });
  }
}

std::string why_no_lock_waits(const Profile& profile) {
  const std::vector<std::string> since = profile::property_values(profile, log::property::kLocks);
  if (since.empty()) return why_no_waits(profile, "waits for locks");
  if (is_part(profile)) return "No waits for locks in this part of the log.";
  if (since.back() == "seen")
    return "No contention was recorded, or only as the program ended. `oriel run --locks` records short waits too.";
  return "No thread waited for a lock.";
}

// Waits are sorted by their ends, so the first to start need not be first.
int64_t first_wait_ns(const Profile& profile) {
  int64_t first = INT64_MAX;
  for (const profile::LockWait& wait : profile.lock_waits) first = std::min(first, wait.end_ns - wait.ns);
  return first;
}

void write_head(const Profile& profile, const Options& options, std::ostream& out) {
  const std::string* const since = profile::property(profile.intro, log::property::kLocks);
  std::string text =
      "Waits for Monitor (lock) and System.Threading.Lock, until the thread runs again; waiters: how many "
      "threads wait for the same lock, on average.";
  if (since != nullptr && *since == "seen")
    text += fmt::format(" Recorded from the first contention{}; `oriel run --locks` records all of them.",
                        is_part(profile) ? " of the log on" : ", at " + moment(first_wait_ns(profile)));
  write_note(text, options, out);
}

void write_told_locks(const std::vector<ShownLock>& all, const Profile& profile, const Options& options,
                      std::ostream& out) {
  write_head(profile, options, out);
  out << '\n';
  Table table({{"waited"}, {"waits"}, {"longest"}, {"waiters"}, {"lock", Table::Align::kLeft}}, "waited in your code");
  const size_t shown = std::min(rows(options, kLockRows), all.size());
  for (size_t i = 0; i < shown; ++i) add_rows(all[i], profile, table);
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(all.size() - shown, "more place", "more places")),
               options, out);
}

void write_locks(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Locks", profile, options, out);
  const std::vector<ShownLock> told = shown_locks(profile, options);
  const std::vector<SampledLock> sampled = sampled_locks(profile, options);
  if (told.empty() && sampled.empty()) return write_note(why_no_lock_waits(profile), options, out);
  if (!told.empty()) write_told_locks(told, profile, options, out);
  if (!told.empty() && !sampled.empty()) out << '\n';
  if (!sampled.empty()) write_sampled_locks(sampled, profile, options, out);
}

void add_which(const ShownLock& lock, const Profile& profile, Json& json) {
  if (lock.figures.taken_by != 0) json["taken_by"] = clean(taker_name(lock, profile));
  if (!lock.name.name.empty()) json["lock"] = lock.name.name;
  if (lock.name.made_in.empty()) return;
  json["made"] = {{"in", lock.name.made_in}};
  if (lock.name.made_at.text.empty()) return;
  json["made"]["file"] = lock.name.made_at.path;
  json["made"]["line"] = lock.name.made_at.line;
}

Json lock_json(const ShownLock& lock, const Profile& profile) {
  const profile::LockPlace& figures = lock.figures;
  Json json = {{"type", lock.type},          {"waited_ns", figures.waited_ns},
               {"waits", figures.waits},     {"longest_ns", figures.longest_ns},
               {"threads", figures.threads}, {"locks", figures.locks},
               {"at_once", figures.at_once}, {"held", Json::array()}};
  add_place(lock.at, profile, json);
  add_which(lock, profile, json);
  for (const ShownHolder& holder : lock.held) {
    Json held = {{"ns", holder.ns}};
    add_place(holder.at, profile, held);
    json["held"].push_back(std::move(held));
  }
  return json;
}

void locks_json(const Profile& profile, const Options& options, Json& json) {
  json["locks"] = Json::array();
  for (const ShownLock& lock : shown_locks(profile, options)) {
    if (json["locks"].size() == rows(options, SIZE_MAX)) break;
    json["locks"].push_back(lock_json(lock, profile));
  }
  json["sampled"] = sampled_locks_json(sampled_locks(profile, options), profile);
}

}  // namespace

std::vector<ShownLock> shown_locks(const Profile& profile, const Options& options) {
  ShownPlaces places(profile, options);
  LockNames names(profile, places);
  std::vector<ShownLock> all;
  for (profile::LockPlace& figures : profile::lock_places(profile)) {
    ShownLock lock{clean(profile.functions[figures.type].name), {}, places.of(figures.own), {}, {}};
    if (figures.taken_by == 0) lock.name = names.of(figures.own, assembly::LockKind::kMonitor);
    if (figures.taken_by == 0)
      std::erase_if(figures.held, [&](const auto& holding) { return !names.may_hold(holding.own, lock.name); });
    lock.held = holders(figures.held, places);
    lock.figures = std::move(figures);
    all.push_back(std::move(lock));
  }
  return all;
}

extern const Report kLocksReport = {
    .name = "locks",
    .help = "locks that threads waited for: where, how long, and what held them",
    .text = write_locks,
    .json = locks_json,
};

}  // namespace oriel::report
