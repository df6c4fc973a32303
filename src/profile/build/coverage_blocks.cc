#include "profile/build/coverage_blocks.h"

#include <algorithm>
#include <utility>

#include "profile/table/hits.h"
#include "profile/table/renumber.h"

namespace oriel::profile {

void CoverageBlocks::add(log::Coverage block, MemoryLimit& limit, Tables& tables) {
  periods_[block.period] = {block.label, block.methods.empty()};
  add_rows(std::move(block), limit, tables);
}

void CoverageBlocks::add_counters(std::vector<log::Coverage> periods, MemoryLimit& limit, Tables& tables) {
  for (log::Coverage& block : periods) {
    const auto known = periods_.find(block.period);
    if (known != periods_.end() && !known->second.is_announced) continue;
    if (known != periods_.end()) block.label = known->second.label;
    add_rows(std::move(block), limit, tables);
  }
}

void CoverageBlocks::raise_limit(const log::MethodHits& method, MemoryLimit& limit) {
  const uint64_t bytes = std::min(beyond_limit_, sizeof method + method.points.size() * sizeof(CoverageHit));
  beyond_limit_ -= bytes;
  limit.raise_limit(bytes);
}

// Method by method: a block may have millions of hits, which are not to be there twice.
void CoverageBlocks::add_rows(log::Coverage block, MemoryLimit& limit, Tables& tables) {
  if (block.images.empty()) return;
  std::map<uint64_t, uint32_t> images;  // by number
  for (const log::CoverageImage& one : block.images) {
    if (!limit.for_record()) continue;
    CoveredImage image{one.name, one.path, one.mvid, one.pdb_id, one.pdb_path, !block.counts};
    images[one.number] = images_.add(std::move(image), tables.covered_images);
  }
  const uint32_t test = block.label.empty() ? table::kNone : tests_.add({block.label}, tables.covered_tests);
  for (log::MethodHits& one : block.methods) {
    const auto image = images.find(one.image);
    if (image == images.end()) continue;  // a block that was made up
    raise_limit(one, limit);
    if (!limit.for_record()) continue;
    table::unite_hits(one.points);
    std::vector<CoverageHit> of_test;
    if (test != table::kNone) of_test = one.points;
    const uint32_t method = methods_.add(
        {image->second, log::fitting(one.row), std::move(one.name), std::move(one.points)}, tables.covered_methods);
    if (test != table::kNone) by_tests_.add({test, method, std::move(of_test)}, tables.covered_by_tests);
  }
}

void CoverageBlocks::finish(Tables& tables) {
  *this = {};
  table::MovedRows moved;
  table::put_in_order(moved, tables.covered_images);
  table::put_in_order(moved, tables.covered_methods);
  table::put_in_order(moved, tables.covered_tests);
  table::put_in_order(moved, tables.covered_by_tests);
  drop_counts_beside_hits(tables);
}

void drop_counts_beside_hits(Tables& tables) {
  if (has_counts(tables.covered_images)) return;
  const auto drop = [](std::vector<CoverageHit>& hits) {
    for (CoverageHit& hit : hits) hit.count = std::min<uint64_t>(hit.count, 1);
  };
  for (CoveredMethod& method : tables.covered_methods) drop(method.hits);
  for (CoveredByTest& part : tables.covered_by_tests) drop(part.hits);
}

namespace {

log::Coverage block_of(const Tables& tables, const std::string& label) {
  log::Coverage block{label, 0, has_counts(tables.covered_images), {}, {}};
  for (const CoveredImage& image : tables.covered_images)
    block.images.push_back({block.images.size() + 1, image.name, image.path, image.mvid, image.pdb_id, image.pdb_path});
  return block;
}

log::MethodHits hits_of(const CoveredMethod& method, const std::vector<CoverageHit>& hits) {
  return {uint64_t{method.image} + 1, method.row, method.name, hits};
}

// A test's counts are part of the whole's, and come to it with the test's own block.
void take_away(const std::vector<CoverageHit>& part, std::vector<CoverageHit>& whole) {
  for (const CoverageHit& hit : part) {
    const auto at = std::ranges::lower_bound(whole, table::place_of(hit), {}, table::place_of);
    if (at != whole.end() && table::place_of(*at) == table::place_of(hit)) at->count -= std::min(at->count, hit.count);
  }
}

}  // namespace

std::vector<log::Coverage> blocks_of(const Tables& tables) {
  std::vector<log::Coverage> blocks = {block_of(tables, "")};
  for (const CoveredMethod& method : tables.covered_methods) blocks[0].methods.push_back(hits_of(method, method.hits));
  for (const CoveredTest& test : tables.covered_tests) blocks.push_back(block_of(tables, test.name));
  for (const CoveredByTest& part : tables.covered_by_tests) {
    blocks[1 + part.test].methods.push_back(hits_of(tables.covered_methods[part.method], part.hits));
    if (blocks[0].counts) take_away(part.hits, blocks[0].methods[part.method].points);
  }
  return blocks;
}

}  // namespace oriel::profile
