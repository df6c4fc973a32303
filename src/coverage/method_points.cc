#include "coverage/method_points.h"

#include <algorithm>
#include <tuple>

namespace oriel::coverage {
namespace {

auto key_of(const Counted& point) { return std::tuple(point.il, point.which); }

auto place_of(const Counted& point) { return std::tuple(point.is_outcome, point.il, point.which); }

}  // namespace

Counts::Counts(std::span<const Counted> points) {
  for (const Counted& point : points) (point.is_outcome ? outcomes_ : runs_).push_back(point);
  std::ranges::sort(runs_, {}, key_of);
  std::ranges::sort(outcomes_, {}, key_of);
}

uint64_t Counts::at(uint32_t il) const {
  const auto after = std::ranges::upper_bound(runs_, il, {}, &Counted::il);
  return after == runs_.begin() ? 0 : std::prev(after)->count;
}

uint64_t Counts::of(const Outcome& outcome) const {
  const auto found = std::ranges::lower_bound(outcomes_, std::tuple(outcome.il, outcome.which), {}, key_of);
  return found != outcomes_.end() && found->il == outcome.il && found->which == outcome.which ? found->count : 0;
}

std::vector<Counted> part_of(std::span<const Counted> whole, std::span<const Counted> part) {
  std::vector<Counted> places(part.begin(), part.end());
  for (Counted point : whole) {
    point.count = 0;
    places.push_back(point);
  }
  std::ranges::stable_sort(places, {}, place_of);  // entries of the part come first
  const auto same = [](const Counted& a, const Counted& b) { return place_of(a) == place_of(b); };
  const auto rest = std::ranges::unique(places, same);
  places.erase(rest.begin(), rest.end());
  return places;
}

std::vector<Statement> statements_of(std::span<const pdb::SequencePoint> points, const Counts& counts) {
  std::vector<Statement> statements;
  for (const pdb::SequencePoint& point : points) {
    if (point.line == 0) continue;
    const uint32_t end = std::max(point.line, point.end_line);
    statements.push_back({point.document, point.line, end, counts.at(point.il)});
  }
  return statements;
}

std::vector<uint64_t> counts_of(const Condition& condition, const Counts& counts) {
  std::vector<uint64_t> of_arms;
  for (const std::vector<Outcome>& arm : condition.arms) {
    uint64_t sum = 0;
    for (const Outcome& outcome : arm) sum += counts.of(outcome);
    of_arms.push_back(sum);
  }
  return of_arms;
}

}  // namespace oriel::coverage
