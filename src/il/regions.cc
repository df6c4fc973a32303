#include "il/regions.h"

#include <algorithm>

#include "il/body.h"

namespace oriel::il {
namespace {

RegionKind handler_kind(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::kFinally:
      return RegionKind::kFinally;
    case ClauseKind::kFault:
      return RegionKind::kFault;
    default:
      return RegionKind::kCatch;
  }
}

std::vector<Region> list_regions(const Body& body) {
  std::vector<Region> regions;
  regions.reserve(body.clauses.size() * 2);
  for (uint32_t i = 0; i < body.clauses.size(); ++i) {
    const Clause& clause = body.clauses[i];
    regions.push_back({clause.try_begin->index(), clause.try_end->index(), RegionKind::kTry, i});
    regions.push_back({clause.handler_begin->index(), clause.handler_end->index(), handler_kind(clause.kind), i});
    if (clause.filter_begin)
      regions.push_back({clause.filter_begin->index(), clause.handler_begin->index(), RegionKind::kFilter, i});
  }
  // Outer first: by begin, then by length descending, then by clause descending.
  std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    return a.clause > b.clause;
  });
  const auto is_shared_try = [](const Region& a, const Region& b) {
    return a.kind == RegionKind::kTry && b.kind == RegionKind::kTry && a.begin == b.begin && a.end == b.end;
  };
  regions.erase(std::unique(regions.begin(), regions.end(), is_shared_try), regions.end());
  return regions;
}

Status check_nesting(const Instruction& at, const Region& outer, const Region& inner) {
  if (inner.end > outer.end) return error_at(at, "exception regions that overlap");
  if (inner.begin == outer.begin && inner.end == outer.end) return error_at(at, "two exception regions in one place");
  if (inner.clause > outer.clause) return error_at(at, "an outer exception clause that stands before an inner one");
  if (inner.clause == outer.clause) return error_at(at, "an exception handler within its own try block");
  return Status::ok();
}

}  // namespace

Result<RegionTree> find_regions(Body& body) {
  const std::vector<Instruction*>& order = body.number();
  RegionTree tree;
  tree.inside.assign(order.size(), kNoRegion);
  tree.regions = list_regions(body);
  uint32_t current = kNoRegion;
  size_t next = 0;
  for (uint32_t at = 0; at < order.size(); ++at) {
    while (current != kNoRegion && tree.regions[current].end <= at) current = tree.regions[current].parent;
    for (; next < tree.regions.size() && tree.regions[next].begin == at; ++next) {
      Region& region = tree.regions[next];
      if (region.begin == region.end) return error_at(*order[at], "an exception region without code");
      if (current != kNoRegion) {
        if (Status status = check_nesting(*order[at], tree.regions[current], region); !status) return status;
      }
      region.parent = current;
      current = static_cast<uint32_t>(next);
    }
    tree.inside[at] = current;
  }
  return tree;
}

}  // namespace oriel::il
