// Coverage as blocks of a log that add up to it.
#include <algorithm>
#include <map>

#include "profile/build/coverage_sums.h"

namespace oriel::profile {
namespace {

using PlaceInImage = std::pair<uint32_t, uint32_t>;  // image and row

log::Coverage block_of(const Coverage& coverage, const std::string& label, const std::vector<CoveredMethod>& methods) {
  log::Coverage block{label, 0, coverage.counts, {}, {}};
  for (const CoverageImage& image : coverage.images)
    block.images.push_back({block.images.size() + 1, image.name, image.path, image.mvid, image.pdb_id, image.pdb_path});
  for (const CoveredMethod& method : methods) {
    log::MethodHits& made = block.methods.emplace_back();
    made.image = method.image + 1;
    made.row = method.row;
    made.name = method.name;
    made.points = method.points;
  }
  return block;
}

// The total includes a test's counts. They are subtracted here because the test's own block adds them again.
void take_away(const std::vector<CoveredMethod>& part, std::vector<CoveredMethod>& whole) {
  std::map<PlaceInImage, CoveredMethod*> by_place;
  for (CoveredMethod& method : whole) by_place[{method.image, method.row}] = &method;
  for (const CoveredMethod& method : part) {
    const auto found = by_place.find({method.image, method.row});
    if (found == by_place.end()) continue;
    std::map<std::tuple<uint32_t, bool, uint32_t>, CoverageHit*> points;
    for (CoverageHit& point : found->second->points) points[place_of(point)] = &point;
    for (const CoverageHit& point : method.points)
      if (const auto at = points.find(place_of(point)); at != points.end())
        at->second->count -= std::min(at->second->count, point.count);
  }
}

}  // namespace

std::vector<log::Coverage> blocks_of(const Coverage& coverage) {
  std::vector<log::Coverage> blocks;
  std::vector<CoveredMethod> rest = coverage.methods;
  for (const Coverage::Test& test : coverage.tests) {
    blocks.push_back(block_of(coverage, test.name, test.methods));
    if (coverage.counts) take_away(test.methods, rest);
  }
  blocks.insert(blocks.begin(), block_of(coverage, "", rest));
  return blocks;
}

}  // namespace oriel::profile
