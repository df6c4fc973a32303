#include "profile/build/reported_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text/words.h"

namespace oriel::profile {
namespace {

constexpr char kMark = '\t';

// The part before the next mark. The texts' parts are listed in events.def.
std::string next(std::string_view& text) { return std::string(cut(text, kMark)); }

Activity activity_of(std::string_view text) {
  Activity activity;
  const std::string trace = next(text);
  // Zeros stand for a missing parent, and for both ids in a program with ids of the older, hierarchical format.
  const auto id_in_trace = [&](const std::string& span) {
    return span.find_first_not_of('0') == std::string::npos ? "" : trace + span;
  };
  activity.id = id_in_trace(next(text));
  activity.parent = id_in_trace(next(text));
  activity.failed = next(text) == "Error";
  activity.source = next(text);
  activity.name = next(text);
  activity.tags = split(text, kMark);
  return activity;
}

}  // namespace

void ReportedValues::add_value(const Incoming& told) {
  const auto value = std::bit_cast<double>(told.event.values[1]);
  if (!std::isfinite(value)) return;
  Series& series = series_[std::string(told.event.text)];
  series.is_total = told.event.values[0] != 0;
  series.readings.push_back({told.event.counter, value});
}

void ReportedValues::add_activity(const Incoming& told) {
  constexpr uint64_t kLongest = 366ull * 86'400 * 1'000'000'000;  // a year; a corrupt log may claim more
  Activity activity = activity_of(told.event.text);
  activity.ns = static_cast<int64_t>(std::min(told.event.values[0], kLongest));
  activity.thread = told.thread;
  add(told.event.counter, std::move(activity));
}

// A web server reports the request first, and later that its activity ended and how long it took.
void ReportedValues::add(uint64_t counter, Activity activity) {
  const auto [known, is_new] = of_id_.try_emplace(activity.id, stopped_.size());
  if (is_new || activity.id.empty()) {
    stopped_.push_back({counter, std::move(activity)});
    return;
  }
  stopped_[known->second].counter = counter;
  Activity& told = stopped_[known->second].activity;
  told.ns = std::max(told.ns, activity.ns);
  told.failed |= activity.failed;
  told.tags.insert(told.tags.end(), activity.tags.begin(), activity.tags.end());
}

void ReportedValues::finish(const ClockMap& clock, Profile& profile) {
  for (const auto& [text, its] : series_) {
    std::string_view rest = text;
    CounterSeries series;
    series.meter = next(rest);
    series.name = next(rest);
    series.unit = next(rest);
    series.tags = split(rest, kMark);
    for (const Reading& reading : its.readings) series.points.push_back({clock.ns(reading.counter), reading.value});
    std::ranges::stable_sort(series.points, {}, &CounterSeries::Point::ns);
    // Some meters call values totals that may fall.
    series.is_total = its.is_total && series.name != "dotnet.thread_pool.thread.count" &&
                      std::ranges::is_sorted(series.points, {}, &CounterSeries::Point::value);
    profile.series.push_back(std::move(series));
  }
  for (Stopped& one : stopped_) {
    one.activity.end_ns = clock.ns(one.counter);
    profile.activities.push_back(std::move(one.activity));
  }
  std::ranges::stable_sort(profile.activities, {}, &Activity::end_ns);
}

}  // namespace oriel::profile
