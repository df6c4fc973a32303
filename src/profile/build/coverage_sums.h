// Adds up coverage: the blocks of a log, logs of several processes. Images are one by their version (MVID), methods by
// their row, points by their place; where counts and mere hits meet, the whole has hits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "log/format.h"
#include "profile/build/memory_limit.h"
#include "profile/coverage.h"

namespace oriel::profile {

class CoverageSums {
 public:
  // As far as there is room.
  void add(log::Coverage block, Room* room = nullptr);
  void add(const Coverage& part);
  // The sum, once.
  Coverage finish();

 private:
  struct Method {
    std::string name;
    std::vector<CoveragePoint> points;  // as CoveredMethod has them
  };
  using Methods = std::map<std::pair<uint32_t, uint32_t>, Method>;  // by image and row

  uint32_t image(const CoverageImage& image);
  static void add_method(const std::string& name, std::vector<CoveragePoint> points, Method& sum);
  void add(const std::vector<CoveredMethod>& methods, const std::vector<uint32_t>& images, Methods& to) const;
  static std::vector<CoveredMethod> take(Methods& methods, bool counts);

  bool any_ = false;
  bool counts_ = true;
  std::vector<CoverageImage> images_;
  std::map<std::string, uint32_t> known_images_;
  Methods whole_;
  std::map<std::string, Methods> tests_;
};

// The blocks that add up to this.
std::vector<log::Coverage> blocks_of(const Coverage& coverage);

}  // namespace oriel::profile
