#include "profile/build/probe_costs.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "log/properties.h"

namespace oriel::profile {
namespace {

constexpr uint64_t kEnoughTimed = 16;
// The cost of timing a segment overlaps with the segment's code: the longer the code, the more, up to all of it for
// code three times as long.
constexpr double kHiddenBehind = 3;

double average(uint64_t ticks, uint64_t count) { return static_cast<double>(ticks) / static_cast<double>(count); }

// The time of a timed segment's code.
double of_timed(double ticks, const ProbeCosts& costs) {
  const double seen = std::max(0.0, ticks - costs.timed);
  if (costs.hidden <= 0) return seen;
  return seen + costs.hidden * std::min(1.0, seen / (kHiddenBehind * costs.hidden));
}

// The time of a short segment's code, measured as `measured` on average. The part that overlaps with a reading of the
// clock may count for the next segment, but at most a reading's time.
double of_short(double measured, const OwnSegments& sample, const ProbeCosts& costs) {
  if (sample.timed == 0) return std::max(0.0, measured - costs.reading);
  return std::min(of_timed(average(sample.timed_ticks, sample.timed), costs), measured + costs.reading);
}

}  // namespace

ProbeCosts probe_costs(const std::vector<Counter>& counters) {
  ProbeCosts costs;
  const std::pair<std::string_view, double*> fields[] = {{log::counter::kProbesTimed, &costs.timed},
                                                         {log::counter::kProbesHidden, &costs.hidden},
                                                         {log::counter::kProbesReading, &costs.reading},
                                                         {log::counter::kProbesAllocation, &costs.allocation}};
  for (const Counter& counter : counters) {
    for (const auto& [name, field] : fields)
      if (counter.name == name) *field = static_cast<double>(std::min<uint64_t>(counter.count, 10'000'000)) / 1000;
  }
  return costs;
}

void OwnSegments::add(const OwnSegments& other) {
  all += other.all;
  ticks += other.ticks;
  timed += other.timed;
  timed_ticks += other.timed_ticks;
  longs += other.longs;
  long_ticks += other.long_ticks;
  allocations += other.allocations;
  waited_ns += other.waited_ns;
  taken += other.taken;
}

double without_probes(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs) {
  const auto measured = static_cast<double>(node.ticks);
  if (!costs.known()) return measured;
  const auto longs = static_cast<double>(std::min(node.longs, node.all));
  const auto shorts = static_cast<double>(node.all) - longs;
  const double in_longs = std::min(measured, static_cast<double>(node.long_ticks));
  // Time beyond what short segments can hold was not counted as long, for instance if a probe was missed. It stays.
  const double in_shorts = std::min(measured - in_longs, shorts * static_cast<double>(kLongSegment));
  double own = measured - in_shorts - std::min(in_longs, longs * costs.reading);
  if (shorts > 0) {
    const OwnSegments& sample = node.timed >= kEnoughTimed        ? node
                                : of_method.timed >= kEnoughTimed ? of_method
                                                                  : OwnSegments{};
    own += shorts * of_short(in_shorts / shorts, sample, costs);
  }
  // What moved here from a neighbour is at most what was measured: a damaged log may claim any number of calls.
  return std::clamp(own - static_cast<double>(node.allocations) * costs.allocation, 0.0, 2 * measured);
}

double sound_rate(double ns_a_tick, double ticks) {
  constexpr double kMostNs = 4e18;  // 146 years
  return ticks * ns_a_tick > kMostNs ? kMostNs / ticks : ns_a_tick;
}

void set_own_times(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs, double ns_a_tick,
                   CallFigures& figures) {
  const auto ns = [ns_a_tick](double ticks) { return int64_t{std::llround(ticks * ns_a_tick)}; };
  figures.measured_ns = ns(static_cast<double>(node.ticks) + static_cast<double>(node.taken));
  figures.taken_ns = ns(static_cast<double>(node.taken));
  figures.self_ns = ns(without_probes(node, of_method, costs));
  figures.waited_ns = std::min(figures.self_ns, static_cast<int64_t>(std::min<uint64_t>(node.waited_ns, INT64_MAX)));
}

}  // namespace oriel::profile
