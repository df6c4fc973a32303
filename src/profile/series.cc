#include "profile/series.h"

#include <algorithm>
#include <utility>

namespace oriel::profile {
namespace {

using Point = CounterSeries::Point;

constexpr double kSecond = 1e9;

// How fast a total grew: at each point since the one before, at the first since the log began.
std::vector<Point> rates(const std::vector<Point>& totals) {
  std::vector<Point> rates;
  for (size_t i = 1; i < totals.size(); ++i) {
    const auto ns = static_cast<double>(totals[i].ns - totals[i - 1].ns);
    if (ns > 0) rates.push_back({totals[i].ns, (totals[i].value - totals[i - 1].value) / ns * kSecond});
  }
  if (rates.empty() && totals.back().ns > 0)
    rates.push_back({totals.back().ns, totals.back().value / static_cast<double>(totals.back().ns) * kSecond});
  return rates.empty() ? std::vector<Point>{{totals.back().ns, 0}} : rates;
}

// The mean of the points in a part; where it has none, the next point, which stands for the time before it.
std::vector<double> parts_of(const std::vector<Point>& points, const Profile& profile, uint32_t parts) {
  const int64_t begin = profile.filter.from_ns;
  const int64_t end = std::max(begin + 1, std::min(profile.filter.to_ns, profile.wall_ns));
  std::vector<double> values;
  size_t next = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    const int64_t until = begin + (end - begin) * (i + 1) / parts;
    double sum = 0;
    size_t count = 0;
    for (; next < points.size() && points[next].ns < until; ++next, ++count) sum += points[next].value;
    values.push_back(count != 0 ? sum / static_cast<double>(count) : points[std::min(next, points.size() - 1)].value);
  }
  return values;
}

CounterSeries made(const char* name, const char* unit, bool is_total) {
  return {.meter = "process", .name = name, .unit = unit, .tags = {}, .is_total = is_total, .points = {}};
}

}  // namespace

SeriesFigures figures(const CounterSeries& series, const Profile& profile, uint32_t parts) {
  const std::vector<Point> points = series.is_total ? rates(series.points) : series.points;
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::value);
  double sum = 0;
  for (const Point& point : points) sum += point.value;
  return {least.value, sum / static_cast<double>(points.size()), most.value, series.points.back().value,
          parts_of(points, profile, parts)};
}

std::vector<CounterSeries> process_series(const Profile& profile) {
  if (profile.processes.size() > 1) return {};
  CounterSeries cpu = made("processor time", "s", true), memory = made("greatest resident memory", "By", false),
                heap = made("heap after collections", "By", false), pauses = made("pauses of all threads", "s", true);
  for (const auto& [ns, usage] : profile.usages) {
    cpu.points.push_back({ns, static_cast<double>(usage.user_us + usage.system_us) / 1e6});
    memory.points.push_back({ns, static_cast<double>(usage.max_rss_kb) * 1024});
  }
  for (const Collection& collection : profile.collections)
    if (collection.heap && collection.end_ns >= 0)
      heap.points.push_back({collection.end_ns, static_cast<double>(collection.heap->total())});
  double paused = 0;
  if (!profile.pauses.empty()) pauses.points.push_back({profile.filter.from_ns, 0});
  for (const Pause& pause : profile.pauses)
    pauses.points.push_back({pause.start_ns + pause.ns, paused += static_cast<double>(pause.ns) / kSecond});
  std::vector<CounterSeries> all;
  for (CounterSeries* const series : {&cpu, &memory, &heap, &pauses})
    if (!series->points.empty()) all.push_back(std::move(*series));
  return all;
}

}  // namespace oriel::profile
