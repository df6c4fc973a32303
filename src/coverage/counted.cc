#include "coverage/counted.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "profile/table/hits.h"

namespace oriel::coverage {
namespace {

using profile::CoverageHit;

auto key_of(const CoverageHit& hit) { return std::tuple(hit.il, hit.outcome); }

// A test lists only places that ran, but the count at an offset is that of the nearest place before it: the others get
// 0.
std::vector<CoverageHit> with_other_places(const std::vector<CoverageHit>& of_test, std::vector<CoverageHit> whole) {
  for (CoverageHit& hit : whole) hit.count = 0;
  table::add_hits(of_test, whole);
  return whole;
}

}  // namespace

Counts::Counts(std::span<const CoverageHit> hits) {
  for (const CoverageHit& hit : hits) (hit.is_outcome ? outcomes_ : runs_).push_back(hit);
}

uint64_t Counts::at(uint32_t il) const {
  const auto after = std::ranges::upper_bound(runs_, il, {}, [](const CoverageHit& hit) -> uint32_t { return hit.il; });
  return after == runs_.begin() ? 0 : std::prev(after)->count;
}

bool Counts::has(uint32_t il) const {
  return std::ranges::binary_search(runs_, il, {}, [](const CoverageHit& hit) -> uint32_t { return hit.il; });
}

bool Counts::any_ran() const {
  return std::ranges::any_of(runs_, [](const CoverageHit& hit) { return hit.count != 0; });
}

uint64_t Counts::of(const Outcome& outcome) const {
  const std::tuple place(outcome.il, outcome.which);
  const auto found = std::ranges::lower_bound(outcomes_, place, {}, key_of);
  return found != outcomes_.end() && key_of(*found) == place ? found->count : 0;
}

CountedCode::CountedCode(const profile::Tables& tables) : tables_(tables), by_method_(tables.covered_by_tests.size()) {
  std::iota(by_method_.begin(), by_method_.end(), 0);
  std::ranges::stable_sort(by_method_, {}, [&](uint32_t part) { return tables.covered_by_tests[part].method; });
}

uint32_t CountedCode::find(uint32_t image, uint32_t row) const {
  const std::vector<profile::CoveredMethod>& methods = tables_.covered_methods;
  const auto place_of = [](const profile::CoveredMethod& method) { return std::tuple(method.image, method.row); };
  const auto found = std::ranges::lower_bound(methods, std::tuple(image, row), {}, place_of);
  const bool is_it = found != methods.end() && place_of(*found) == std::tuple(image, row);
  return static_cast<uint32_t>((is_it ? found : methods.end()) - methods.begin());
}

Counts CountedCode::of_method(uint32_t image, uint32_t row) const {
  const uint32_t method = find(image, row);
  return method == tables_.covered_methods.size() ? Counts() : Counts(tables_.covered_methods[method].hits);
}

std::vector<CountedCode::OfTest> CountedCode::of_tests(uint32_t image, uint32_t row) const {
  const uint32_t method = find(image, row);
  std::vector<OfTest> found;
  const auto method_of = [&](uint32_t part) { return tables_.covered_by_tests[part].method; };
  const auto end = std::ranges::upper_bound(by_method_, method, {}, method_of);
  for (auto part = std::ranges::lower_bound(by_method_, method, {}, method_of); part != end; ++part) {
    const profile::CoveredByTest& ran = tables_.covered_by_tests[*part];
    found.push_back({tables_.covered_tests[ran.test].name,
                     Counts(with_other_places(ran.hits, tables_.covered_methods[method].hits))});
  }
  return found;
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
