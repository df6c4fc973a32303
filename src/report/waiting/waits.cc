#include "report/waiting/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

#include "profile/mono_wrappers.h"
#include "profile/recorded.h"
#include "report/hints/hints.h"
#include "report/words/function_name.h"
#include "report/words/more.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::WaitFor;
using profile::WaitTotals;

namespace {

constexpr size_t kWaitRows = 30;

struct WaitWords {
  const char* key;   // key in JSON
  const char* text;  // "" if the waiting method is shown: Thread.Sleep
};
// In the order of WaitFor.
constexpr WaitWords kWaitWords[] = {
    {"idle", "work"},
    {"sleep", ""},
    {"lock", "a lock"},
    {"task", "a task (Wait, Result)"},
    {"signal", ""},
    {"thread", ""},
    {"network", ""},
    {"file", ""},
    {"database", ""},
    {"process", ""},
    {"console", ""},
    {"collection", "garbage collections"},
    {"compilation", "JIT compilation and type loading"},
    {"runtime", "the runtime"},
    {"memory", "memory pages"},
    {"system", ""},
};
static_assert(std::size(kWaitWords) == profile::kWaitsFor);

std::string method_text(const ShownWait& wait, const Profile& profile, size_t width) {
  return wait.at.function == 0 ? cut_end("threads without your code, or Main waiting for its async part", width)
                               : fit_at_line(profile.functions[wait.at.function], wait.at.line.text, width);
}

void write_head(const WaitTotals& waits, const Profile& profile, const Options& options, std::ostream& out) {
  const double part = waited_share(waits.periods, waits, profile);
  if (waits.periods != 0)
    write_note(fmt::format("{} blocked {:.1f} % of {} lifetime in your code, {} in total.",
                           counted(waits.threads, "thread was", "threads were"), part * 100,
                           waits.threads == 1 ? "its" : "their", time_of(waits.periods, profile)),
               options, out);
  if (waits.idle != 0 && !profile.filter.idle)
    write_note(fmt::format("Hidden: {} of threads waiting for work; --idle shows them.", time_of(waits.idle, profile)),
               options, out);
  out << '\n';
}

void write_waits(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("What threads waited for", profile, options, out);
  const WaitTotals waits = profile::waits(profile);
  if (!profile::has_waits(profile)) return write_note(why_no_waits(profile, "waits"), options, out);
  if (waits.periods == 0 && waits.idle == 0)
    return write_note(
        is_part(profile) ? "No thread was seen waiting in this part of the log." : "No thread was seen waiting.",
        options, out);
  write_head(waits, profile, options, out);
  const std::vector<ShownWait> all = shown_waits(waits, profile, options);
  if (all.empty()) return;
  Table table({{"share"}, {"time"}, {"threads"}, {"for", Table::Align::kLeft}}, "in your code");
  const size_t shown = std::min(rows(options, kWaitRows), all.size());
  constexpr size_t kForWidth = 34;
  for (size_t i = 0; i < shown; ++i) {
    const ShownWait& wait = all[i];
    const double part = waited_share(wait.periods, waits, profile);
    table.add(
        {wait.what == WaitFor::kIdle ? "" : fmt::format("{:.1f} %", part * 100), time_of(wait.periods, profile),
         count(wait.threads.size()), cut_start(wait.text, kForWidth)},
        [&](size_t width) { return method_text(wait, profile, width); }, part);
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(all.size() - shown, "more place", "more places")),
               options, out);
}

Json wait_json(const ShownWait& wait, const WaitTotals& waits, const Profile& profile) {
  Json json = {{"for", wait_key(wait.what)},
               {"text", wait.text},
               {"ns", ns_of(wait.periods, profile)},
               {"share", waited_share(wait.periods, waits, profile)},
               {"threads", wait.threads.size()}};
  add_place(wait.at, profile, json);
  return json;
}

Json json_of(const Profile& profile, const Options& options, size_t most) {
  if (!profile::has_waits(profile)) return {};
  const WaitTotals waits = profile::waits(profile);
  Json json = {{"threads", waits.threads},
               {"ns", ns_of(waits.periods, profile)},
               {"share", waited_share(waits.periods, waits, profile)},
               {"idle_ns", ns_of(waits.idle, profile)},
               {"waits", Json::array()}};
  for (const ShownWait& wait : shown_waits(waits, profile, options)) {
    if (json["waits"].size() == most) break;
    json["waits"].push_back(wait_json(wait, waits, profile));
  }
  return json;
}

void waits_json(const Profile& profile, const Options& options, Json& json) {
  json["waited"] = json_of(profile, options, rows(options, SIZE_MAX));
}

}  // namespace

int64_t ns_of(uint64_t periods, const Profile& profile) {
  return profile.sampling_hz == 0 ? 0 : static_cast<int64_t>(periods * (1'000'000'000ull / profile.sampling_hz));
}

bool is_significant_wait(int64_t ns, const Profile& profile) {
  constexpr double kLeastShare = 0.10;  // of wall time
  return profile.wall_ns > 0 && is_significant_time(ns, profile) &&
         static_cast<double>(ns) >= kLeastShare * static_cast<double>(profile.wall_ns);
}

bool is_significant_wait(int64_t ns, uint32_t looks, const Profile& profile) {
  constexpr uint32_t kFewest = 3;
  return looks >= kFewest && is_significant_wait(ns, profile);
}

std::string wait_text(const profile::WaitPlace& place, const Profile& profile) {
  std::string words = kWaitWords[static_cast<size_t>(place.what)].text;
  if (!words.empty()) return words;
  if (place.callee == 0) return "the system";
  profile::Function callee = profile.functions[place.callee];
  callee.name = profile::without_mono_wrapper(callee.name);
  BriefName name = brief_name(callee);
  // The called method may be compiled to a tail jump to an inner one, and so be missing from the stack.
  for (const std::string_view inner : {"NoCheck", "Core"})
    if (name.method.ends_with(inner) && name.method != inner) name.method.resize(name.method.size() - inner.size());
  const std::string text = clean(name.owner + name.method);
  return text == "FileStreamHelpers.FlushToDisk" ? "FileStream.Flush" : text;  // Flush ends in a tail jump to it
}

const char* wait_key(WaitFor what) { return kWaitWords[static_cast<size_t>(what)].key; }

double waited_share(uint64_t periods, const WaitTotals& waits, const Profile& profile) {
  if (waits.lived_ns <= 0) return 0;
  return std::min(1.0, static_cast<double>(ns_of(periods, profile)) / static_cast<double>(waits.lived_ns));
}

std::vector<ShownWait> shown_waits(const WaitTotals& waits, const Profile& profile, const Options& options) {
  ShownPlaces places(profile, options);
  using Key = std::tuple<WaitFor, std::string, uint32_t, std::string, uint32_t>;
  std::map<Key, ShownWait> sums;
  for (const profile::WaitRow& row : waits.rows) {
    const ShownPlace at = places.of(row.place.own);
    const std::string text = wait_text(row.place, profile);
    ShownWait& sum = sums[{row.place.what, text, at.function, at.line.path, at.line.line}];
    sum.what = row.place.what;
    sum.text = text;
    sum.at = at;
    sum.own = row.place.own;
    sum.periods += row.periods;
    sum.pool_periods += row.pool_periods;
    sum.looks += row.looks;
    sum.threads.insert(row.who.begin(), row.who.end());
  }
  std::vector<ShownWait> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  std::ranges::stable_sort(all, std::greater<>(), &ShownWait::periods);
  return all;
}

std::string waited_text(const Profile& profile) {
  constexpr size_t kShown = 3;
  constexpr double kLeast = 0.01;
  const WaitTotals waits = profile::waits(profile);
  const double part = waited_share(waits.periods, waits, profile);
  if (part < kLeast) return "";
  Options options;
  std::vector<std::string> parts;
  for (const ShownWait& wait : shown_waits(waits, profile, options)) {
    const bool little = waited_share(wait.periods, waits, profile) < kLeast;
    if (parts.size() == kShown || (little && !parts.empty())) break;
    parts.push_back(
        fmt::format("{} for {} in {}", time_of(wait.periods, profile), wait.text, place_text(wait.at, profile)));
  }
  return fmt::format("{:.1f} % of the lifetime of {}: {}", part * 100,
                     counted(waits.threads, "thread of your code", "threads of your code"), fmt::join(parts, ", "));
}

Json waited_json(const Profile& profile) {
  constexpr size_t kShown = 10;
  return json_of(profile, Options(), kShown);
}

extern const Report kWaitsReport = {
    .name = "waits",
    .help = "what threads waited for, and where in your code",
    .text = write_waits,
    .json = waits_json,
};

}  // namespace oriel::report
