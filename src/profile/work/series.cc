#include "profile/work/series.h"

#include <algorithm>
#include <utility>

namespace oriel::profile {
namespace {

using Point = CounterSeries::Point;

constexpr double kSecond = 1e9;

// An interval between two points of a total, and its growth.
struct Stretch {
  int64_t from = 0;
  int64_t to = 0;
  double growth = 0;
  double rate() const { return growth / static_cast<double>(to - from) * kSecond; }
};

// A single point counts from the start of the log.
std::vector<Stretch> stretches_of(const std::vector<Point>& totals) {
  std::vector<Stretch> all;
  for (size_t i = 1; i < totals.size(); ++i)
    if (totals[i].ns > totals[i - 1].ns)
      all.push_back({totals[i - 1].ns, totals[i].ns, totals[i].value - totals[i - 1].value});
  if (all.empty() && totals.back().ns > 0) all.push_back({0, totals.back().ns, totals.back().value});
  return all;
}

// Merged to at least that length: rates over milliseconds are meaningless.
std::vector<Stretch> joined(const std::vector<Stretch>& stretches, int64_t least) {
  std::vector<Stretch> all;
  for (const Stretch& stretch : stretches) {
    if (all.empty() || all.back().to - all.back().from >= least) {
      all.push_back(stretch);
    } else {
      all.back().to = stretch.to;
      all.back().growth += stretch.growth;
    }
  }
  if (all.size() < 2 || all.back().to - all.back().from >= least) return all;
  const Stretch last = all.back();
  all.pop_back();
  all.back().to = last.to;
  all.back().growth += last.growth;
  return all;
}

struct Run {
  explicit Run(const Profile& profile)
      : begin(profile.filter.from_ns), end(std::max(begin + 1, std::min(profile.filter.to_ns, profile.wall_ns))) {}
  int64_t length() const { return end - begin; }
  int64_t begin_of(uint32_t part, uint32_t parts) const { return begin + length() / parts * part; }
  int64_t begin;
  int64_t end;
};

// The rate of a total in each part of the run, over the time that is known; 0 where none is.
std::vector<double> rates_in_parts(const std::vector<Stretch>& stretches, const Run& run, uint32_t parts) {
  std::vector<double> rates;
  size_t next = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    const int64_t begin = run.begin_of(i, parts), end = i + 1 == parts ? run.end : run.begin_of(i + 1, parts);
    while (next < stretches.size() && stretches[next].to <= begin) ++next;
    double growth = 0, ns = 0;
    for (size_t at = next; at < stretches.size() && stretches[at].from < end; ++at) {
      const auto overlap = static_cast<double>(std::min(end, stretches[at].to) - std::max(begin, stretches[at].from));
      growth += stretches[at].rate() * overlap;
      ns += overlap;
    }
    rates.push_back(ns > 0 ? growth / ns : 0);
  }
  return rates;
}

// The mean of the points in each part; a part without points takes the next point, which covers the time before it.
std::vector<double> means_in_parts(const std::vector<Point>& points, const Run& run, uint32_t parts) {
  std::vector<double> values;
  size_t next = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    const int64_t until = i + 1 == parts ? run.end : run.begin_of(i + 1, parts);
    double sum = 0;
    size_t count = 0;
    for (; next < points.size() && points[next].ns < until; ++next, ++count) sum += points[next].value;
    values.push_back(count != 0 ? sum / static_cast<double>(count) : points[std::min(next, points.size() - 1)].value);
  }
  return values;
}

SeriesFigures figures_of_total(const std::vector<Point>& totals, const Run& run, uint32_t parts) {
  const std::vector<Stretch> stretches = stretches_of(totals);
  if (stretches.empty()) return {0, 0, 0, totals.back().value, std::vector<double>(parts)};
  // Libraries report about once a second.
  constexpr int64_t kLong = 500'000'000, kParts = 20;
  const std::vector<Stretch> longer = joined(stretches, std::min(kLong, run.length() / kParts));
  const auto [least, most] = std::ranges::minmax(longer, {}, &Stretch::rate);
  double growth = 0;
  for (const Stretch& stretch : stretches) growth += stretch.growth;
  const Stretch whole = {stretches.front().from, stretches.back().to, growth};
  return {least.rate(), whole.rate(), most.rate(), totals.back().value, rates_in_parts(stretches, run, parts)};
}

// A running total that grows in pauses only.
std::vector<Point> paused_so_far(const Profile& profile) {
  if (profile.pauses.empty()) return {};
  const Run run(profile);
  std::vector<Point> points = {{run.begin, 0}};
  const auto add = [&](int64_t ns, double value) { points.push_back({std::max(ns, points.back().ns), value}); };
  for (const Pause& pause : profile.pauses) {
    const double before = points.back().value;
    add(pause.start_ns, before);
    add(pause.start_ns + pause.ns, before + static_cast<double>(pause.ns) / kSecond);
  }
  add(run.end, points.back().value);
  return points;
}

CounterSeries made(const char* name, const char* unit, bool is_total) {
  return {.meter = "process", .name = name, .unit = unit, .tags = {}, .is_total = is_total, .points = {}};
}

}  // namespace

SeriesFigures figures(const CounterSeries& series, const Profile& profile, uint32_t parts) {
  const std::vector<Point>& points = series.points;
  const Run run(profile);
  if (series.is_total) return figures_of_total(points, run, parts);
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::value);
  double sum = 0;
  for (const Point& point : points) sum += point.value;
  return {least.value, sum / static_cast<double>(points.size()), most.value, points.back().value,
          means_in_parts(points, run, parts)};
}

std::vector<CounterSeries> process_series(const Profile& profile) {
  if (profile.processes.size() > 1) return {};
  CounterSeries cpu = made("processor time", "s", true), memory = made("greatest resident memory", "By", false),
                heap = made("heap after collections", "By", false), pauses = made("pauses of all threads", "s", true);
  for (const Usage& usage : profile.usages) {
    const auto cpu_us = (usage.user_ns + usage.system_ns) / 1000;
    cpu.points.push_back({usage.ns, static_cast<double>(cpu_us) / 1e6});
    memory.points.push_back({usage.ns, static_cast<double>(usage.max_rss)});
  }
  for (const Collection& collection : profile.collections)
    if (collection.heap && collection.end_ns >= 0)
      heap.points.push_back({collection.end_ns, static_cast<double>(collection.heap->total())});
  pauses.points = paused_so_far(profile);
  std::vector<CounterSeries> all;
  for (CounterSeries* const series : {&cpu, &memory, &heap, &pauses})
    if (!series->points.empty()) all.push_back(std::move(*series));
  return all;
}

}  // namespace oriel::profile
