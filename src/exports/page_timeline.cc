#include "exports/page_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exports/page_trees.h"
#include "exports/text.h"
#include "exports/trace_ids.h"
#include "profile/waiting/requests.h"
#include "profile/waiting/timeline.h"
#include "profile/work/series.h"
#include "report/waiting/waits.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using profile::Lane;
using profile::Parts;
using profile::Profile;
using profile::WaitTotals;

constexpr size_t kMostLanes = 40, kMostSpans = 2000, kMostCounters = 80, kMostMarks = 500;

// Run-length encoding: [value, repetitions, value, …].
template <typename Values, typename Shown>
json runs_of(const Values& values, const Shown& shown) {
  json runs = json::array();
  for (size_t i = 0, end = 0; i < values.size(); i = end) {
    const int64_t value = shown(values[i]);
    while (end < values.size() && shown(values[end]) == value) ++end;
    runs.push_back(value);
    runs.push_back(end - i);
  }
  return runs;
}

json lanes_json(const std::vector<Lane>& lanes) {
  constexpr float kTenths = 10;
  json all = json::array();
  for (const Lane& lane : lanes) {
    // Rounds up, so that small shares are visible.
    const auto tenths = [](float share) { return static_cast<int64_t>(std::ceil(share * kTenths)); };
    const auto row = [](uint32_t at) { return at == WaitTotals::kNoRow ? int64_t{-1} : int64_t{at}; };
    all.push_back({{"thread", lane.thread}, {"ran", runs_of(lane.ran, tenths)}, {"waits", runs_of(lane.waits, row)}});
  }
  return all;
}

// By row: what for, as key and text, and where.
json waits_json(const WaitTotals& waits, const Profile& profile) {
  json all = json::array();
  for (const profile::WaitRow& row : waits.rows) {
    const profile::Function& own = profile.functions[profile.nodes[row.place.own].function];
    all.push_back({report::wait_key(row.place.what), clean_text(report::wait_text(row.place, profile)),
                   row.place.own == 0 ? "" : clean_text(own.name)});
  }
  return all;
}

// Records how many of a kind were left out.
void leave_out(const char* what, size_t all, size_t most, json& left_out) {
  if (all > most) left_out[what] = all - most;
}

// The longest spans; of equally long ones, the first.
template <typename Span, typename Length>
std::vector<Span> longest(std::vector<Span> spans, const Length& length, const char* what, json& left_out) {
  leave_out(what, spans.size(), kMostSpans, left_out);
  if (spans.size() > kMostSpans) {
    std::ranges::stable_sort(spans, std::greater(), length);
    spans.resize(kMostSpans);
  }
  return spans;
}

json pauses_json(const Profile& profile, json& left_out) {
  json all = json::array();
  for (const profile::Pause& pause : longest(profile.pauses, &profile::Pause::ns, "pauses", left_out))
    all.push_back({pause.start_ns, pause.ns});
  return all;
}

json locks_json(const Profile& profile, json& left_out) {
  json all = json::array();
  for (const profile::LockWait& wait :
       longest(profile.lock_waits, &profile::LockWait::ns, "waits for locks", left_out)) {
    const bool has_owner = wait.owner != profile::LockWait::kNobody;
    all.push_back({wait.thread, wait.end_ns - wait.ns, wait.ns, clean_text(profile.functions[wait.type].name),
                   has_owner ? int64_t{wait.owner} : int64_t{-1}});
  }
  return all;
}

// The first ones, within the time that the page shows.
json marks_json(const Profile& profile, const Parts& parts, json& left_out) {
  json all = json::array();
  size_t count = 0;
  for (const profile::Mark& mark : profile.marks) {
    if (mark.ns < parts.begin_ns || mark.ns > parts.end_ns || ++count > kMostMarks) continue;
    all.push_back({mark.ns, clean_text(mark.text)});
  }
  leave_out("marks", count, kMostMarks, left_out);
  return all;
}

json requests_json(const Profile& profile, json& left_out) {
  std::vector<const profile::Activity*> roots;
  for (const profile::ActivityGroup& group : profile::requests(profile))
    for (const uint32_t index : group.activities) roots.push_back(&profile.activities[index]);
  json names = json::array(), all = json::array();
  std::map<std::string, size_t> known;
  const auto length = [](const profile::Activity* one) { return one->ns; };
  for (const profile::Activity* one : longest(roots, length, "requests", left_out)) {
    const auto [at, is_new] = known.try_emplace(profile::name_of(*one), known.size());
    if (is_new) names.push_back(clean_text(at->first));
    all.push_back({one->end_ns - one->ns, one->ns, at->second, one->failed ? 1 : 0});
  }
  return {{"names", names}, {"all", all}};
}

json counters_json(const Profile& profile, json& left_out) {
  std::vector<profile::CounterSeries> all = profile::process_series(profile);
  all.insert(all.end(), profile.series.begin(), profile.series.end());
  json counters = json::array();
  size_t count = 0;
  for (const profile::CounterSeries& series : all) {
    const profile::SeriesFigures figures = profile::figures(series, profile, kPartsOfRun);
    if ((figures.least == 0 && figures.most == 0) || ++count > kMostCounters) continue;
    json parts = json::array();
    for (const double value : figures.parts) parts.push_back(std::stod(fmt::format("{:.4g}", value)));
    counters.push_back({{"name", series_name(series)},
                        {"unit", clean_text(series.unit)},
                        {"isTotal", series.is_total},
                        {"parts", parts}});
  }
  leave_out("counters", count, kMostCounters, left_out);
  return counters;
}

}  // namespace

json page_timeline(const Profile& profile) {
  const Parts parts = profile::parts_of_run(profile, kPartsOfRun);
  const WaitTotals waits = profile::waits(profile);
  const profile::Lanes lanes = profile::lanes(profile, waits, parts, kMostLanes);
  json left_out = json::object();
  leave_out("threads", lanes.all, kMostLanes, left_out);
  json time = {{"begin", parts.begin_ns},
               {"end", parts.end_ns},
               {"parts", parts.count},
               {"lanes", lanes_json(lanes.longest)},
               {"waits", waits_json(waits, profile)},
               {"pauses", pauses_json(profile, left_out)},
               {"locks", locks_json(profile, left_out)},
               {"requests", requests_json(profile, left_out)},
               {"marks", marks_json(profile, parts, left_out)},
               {"counters", counters_json(profile, left_out)}};
  time["leftOut"] = std::move(left_out);
  return time;
}

}  // namespace oriel::exports
