#include "profile/table/hits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace oriel::table {
namespace {

uint64_t sum_of_counts(uint64_t a, uint64_t b) { return a + std::min(b, std::numeric_limits<uint64_t>::max() - a); }

bool is_at_same_place(const CoverageHit& a, const CoverageHit& b) { return place_of(a) == place_of(b); }

}  // namespace

void unite_hits(std::vector<CoverageHit>& hits) {
  if (!std::ranges::is_sorted(hits, {}, place_of)) std::ranges::stable_sort(hits, {}, place_of);
  size_t kept = 0;
  for (const CoverageHit& hit : hits) {
    if (kept > 0 && is_at_same_place(hits[kept - 1], hit))
      hits[kept - 1].count = sum_of_counts(hits[kept - 1].count, hit.count);
    else
      hits[kept++] = hit;
  }
  hits.resize(kept);
}

// The places of a method are the same everywhere, unless it was compiled again with other code, or it is a part's,
// which has only those that ran.
void add_hits(const std::vector<CoverageHit>& from, std::vector<CoverageHit>& to) {
  const size_t known = to.size();
  size_t at = 0;
  for (const CoverageHit& hit : from) {
    while (at < known && place_of(to[at]) < place_of(hit)) ++at;
    if (at < known && is_at_same_place(to[at], hit))
      to[at].count = sum_of_counts(to[at].count, hit.count);
    else
      to.push_back(hit);
  }
  if (to.size() == known) return;
  std::ranges::inplace_merge(to, to.begin() + static_cast<std::ptrdiff_t>(known), {}, place_of);
}

}  // namespace oriel::table
