#include "profile/coverage_sums.h"

#include <algorithm>
#include <limits>

namespace oriel::profile {
namespace {

uint32_t fitting(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

uint64_t sum_of(uint64_t a, uint64_t b) { return a + std::min(b, std::numeric_limits<uint64_t>::max() - a); }

}  // namespace

uint32_t CoverageSums::image(const CoverageImage& image) {
  const std::string& key = image.mvid.empty() ? image.path + '\n' + image.name : image.mvid;
  const auto [known, made] = known_images_.try_emplace(key, static_cast<uint32_t>(images_.size()));
  if (made) images_.push_back(image);
  CoverageImage& kept = images_[known->second];
  // One process may have it from memory and another from its file.
  if (kept.path.empty()) kept.path = image.path;
  return known->second;
}

void CoverageSums::add(const std::vector<CoveredMethod>& methods, const std::vector<uint32_t>& images,
                       Methods& to) const {
  for (const CoveredMethod& method : methods) {
    Method& sum = to[{images[method.image], method.row}];
    if (sum.name.empty()) sum.name = method.name;
    for (const CoveragePoint& point : method.points) {
      uint64_t& count = sum.points[{point.il, point.is_outcome, point.outcome}];
      count = sum_of(count, point.count);
    }
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

void CoverageSums::add(const log::Coverage& block) {
  Coverage part;
  part.counts = block.counts;
  std::map<uint64_t, uint32_t> by_number;
  for (const log::CoverageImage& one : block.images) {
    by_number[one.number] = static_cast<uint32_t>(part.images.size());
    part.images.push_back({one.name, one.path, one.mvid, one.pdb_id, one.pdb_path});
  }
  for (const log::CoveredMethod& one : block.methods) {
    const auto known = by_number.find(one.image);
    if (known == by_number.end()) continue;  // a block that was made up
    CoveredMethod method{known->second, fitting(one.row), one.name, {}};
    for (const log::CoveragePoint& point : one.points)
      method.points.push_back({point.is_outcome, fitting(point.il), fitting(point.outcome), point.count});
    part.methods.push_back(std::move(method));
  }
  if (!block.label.empty()) part.tests.push_back({block.label, part.methods});
  add(part);
}

std::vector<CoveredMethod> CoverageSums::list(const Methods& methods, bool counts) {
  std::vector<CoveredMethod> listed;
  for (const auto& [place, method] : methods) {
    CoveredMethod& made = listed.emplace_back(CoveredMethod{place.first, place.second, method.name, {}});
    for (const auto& [key, count] : method.points) {
      const auto& [il, is_outcome, outcome] = key;
      made.points.push_back({is_outcome, il, outcome, counts ? count : std::min<uint64_t>(count, 1)});
    }
  }
  return listed;
}

Coverage CoverageSums::finish() const {
  Coverage sum;
  sum.counts = any_ && counts_;
  sum.images = images_;
  sum.methods = list(whole_, sum.counts);
  for (const auto& [name, methods] : tests_) sum.tests.push_back({name, list(methods, sum.counts)});
  return sum;
}

}  // namespace oriel::profile
