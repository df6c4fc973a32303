// Merges coverage from blocks of a log, and from logs of several processes. Images are identified by version (MVID),
// methods by row, points by place. If some parts only have hits, so does the sum.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "log/format.h"
#include "profile/build/memory/memory_limit.h"
#include "profile/coverage.h"

namespace oriel::profile {

class CoverageSums {
 public:
  // Drops what exceeds the memory limit of `room`, if given.
  void add(log::Coverage block, MemoryLimit* room = nullptr);
  void add(const Coverage& part);
  // Returns the sum; call it once.
  Coverage finish();

 private:
  struct Method {
    std::string name;
    std::vector<CoverageHit> points;  // as in CoveredMethod
  };
  using Methods = std::map<std::pair<uint32_t, uint32_t>, Method>;  // by image and row

  uint32_t image(const CoverageImage& image);
  static void add_method(const std::string& name, std::vector<CoverageHit> points, Method& sum);
  void add(const std::vector<CoveredMethod>& methods, const std::vector<uint32_t>& images, Methods& to) const;
  static std::vector<CoveredMethod> take(Methods& methods, bool counts);

  bool any_ = false;
  bool counts_ = true;
  std::vector<CoverageImage> images_;
  std::map<std::string, uint32_t> known_images_;
  Methods whole_;
  std::map<std::string, Methods> tests_;
};

// Blocks whose sum is this coverage.
std::vector<log::Coverage> blocks_of(const Coverage& coverage);

}  // namespace oriel::profile
