#include "profile/build/coverage_sums.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace oriel::profile {
namespace {

uint64_t sum_of(uint64_t a, uint64_t b) { return a + std::min(b, std::numeric_limits<uint64_t>::max() - a); }

bool same_place(const CoverageHit& a, const CoverageHit& b) { return place_of(a) == place_of(b); }

// Merges adjacent points of the same place.
void unite(std::vector<CoverageHit>& points) {
  size_t kept = 0;
  for (const CoverageHit& point : points) {
    if (kept > 0 && same_place(points[kept - 1], point))
      points[kept - 1].count = sum_of(points[kept - 1].count, point.count);
    else
      points[kept++] = point;
  }
  points.resize(kept);
}

// A method has the same points in each block unless it was compiled again with other code.
void add_points(std::vector<CoverageHit> more, std::vector<CoverageHit>& to) {
  if (std::ranges::equal(more, to, same_place)) {
    for (size_t i = 0; i < to.size(); ++i) to[i].count = sum_of(to[i].count, more[i].count);
    return;
  }
  if (to.empty())
    to = std::move(more);
  else
    to.insert(to.end(), more.begin(), more.end());
  if (!std::ranges::is_sorted(to, {}, place_of)) std::ranges::stable_sort(to, {}, place_of);
  unite(to);
}

}  // namespace

void CoverageSums::add_method(const std::string& name, std::vector<CoverageHit> points, Method& sum) {
  if (sum.name.empty()) sum.name = name;
  add_points(std::move(points), sum.points);
}

uint32_t CoverageSums::image(const CoverageImage& image) {
  const std::string& key = image.mvid.empty() ? image.path + '\n' + image.name : image.mvid;
  const auto [known, made] = known_images_.try_emplace(key, static_cast<uint32_t>(images_.size()));
  if (made) images_.push_back(image);
  CoverageImage& kept = images_[known->second];
  // One process may load it from memory and another from its file.
  if (kept.path.empty()) kept.path = image.path;
  return known->second;
}

void CoverageSums::add(const std::vector<CoveredMethod>& methods, const std::vector<uint32_t>& images,
                       Methods& to) const {
  for (const CoveredMethod& method : methods) {
    add_method(method.name, method.points, to[{images[method.image], method.row}]);
  }
}

void CoverageSums::add(const Coverage& part) {
  if (part.empty() && part.images.empty()) return;
  any_ = true;
  counts_ = counts_ && part.counts;
  std::vector<uint32_t> images;
  for (const CoverageImage& one : part.images) images.push_back(image(one));
  add(part.methods, images, whole_);
  for (const Coverage::Test& test : part.tests) add(test.methods, images, tests_[test.name]);
}

// Adds method by method: a block may have millions of points, and copies of all would double the memory.
void CoverageSums::add(log::Coverage block, MemoryLimit* room) {
  if (block.images.empty()) return;
  any_ = true;
  counts_ = counts_ && block.counts;
  std::map<uint64_t, uint32_t> by_number;
  for (const log::CoverageImage& one : block.images) {
    if (!room || room->for_record())
      by_number[one.number] = image({one.name, one.path, one.mvid, one.pdb_id, one.pdb_path});
  }
  Methods* const test = block.label.empty() ? nullptr : &tests_[block.label];
  for (log::MethodHits& one : block.methods) {
    const auto known = by_number.find(one.image);
    if (known == by_number.end() || (room && !room->for_record())) continue;  // an unknown image: the block is corrupt
    const std::pair place(known->second, log::fitting(one.row));
    if (test) add_method(one.name, std::vector(one.points), (*test)[place]);
    add_method(one.name, std::move(one.points), whole_[place]);
  }
}

// Moves each method's memory, so that the sum and the list never both exist in full.
std::vector<CoveredMethod> CoverageSums::take(Methods& methods, bool counts) {
  std::vector<CoveredMethod> listed;
  listed.reserve(methods.size());
  for (auto at = methods.begin(); at != methods.end(); at = methods.erase(at)) {
    listed.push_back({at->first.first, at->first.second, std::move(at->second.name), std::move(at->second.points)});
    if (!counts)
      for (CoverageHit& point : listed.back().points) point.count = std::min<uint64_t>(point.count, 1);
  }
  return listed;
}

Coverage CoverageSums::finish() {
  Coverage sum;
  sum.counts = any_ && counts_;
  sum.images = std::move(images_);
  sum.methods = take(whole_, sum.counts);
  for (auto& [name, methods] : tests_) sum.tests.push_back({name, take(methods, sum.counts)});
  return sum;
}

}  // namespace oriel::profile
