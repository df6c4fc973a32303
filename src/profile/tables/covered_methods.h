// What ran of methods' code: in the whole log, and in each test where tests were counted separately.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "log/format.h"
#include "profile/table/field.h"
#include "profile/tables/covered_images.h"

namespace oriel::profile {

using log::CoverageHit;

inline uint64_t places_that_ran(const std::vector<CoverageHit>& hits) {
  return static_cast<uint64_t>(std::ranges::count_if(hits, [](const CoverageHit& hit) { return hit.count > 0; }));
}

// A method whose code was counted, whether or not it ran. Tests are included.
struct CoveredMethod {
  uint32_t image = 0;
  uint32_t row = 0;
  std::string name;
  std::vector<CoverageHit> hits;  // of all places

  static constexpr auto described() {
    using namespace table;
    using Row = CoveredMethod;
    return describe(
               Order::kByKey, Part::kWhole, row_of<CoveredImage>("image", &Row::image, "the image that has it"),
               field<Kind::kNumber>("row", &Row::row, "row of its definition in the image, from 1"),
               field<Kind::kText>("name", &Row::name, "if the image is no file").beside_key(),
               derived<Kind::kCount>(
                   "places", [](const Row& counted) { return counted.hits.size(); },
                   "how many places in its code are counted"),
               derived<Kind::kCount>(
                   "ran", [](const Row& counted) { return places_that_ran(counted.hits); }, "how many of them ran"),
               field<Kind::kHits>("hits", &Row::hits, "of its code"))
        .added_up();
  }
};

struct CoveredTest {
  std::string name;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kByKey, Part::kWhole,
                    field<Kind::kText>("name", &CoveredTest::name,
                                       "of the test; of tests that ran at the same time, all names, one a line"))
        .added_up();
  }
};

struct CoveredByTest {
  uint32_t test = 0;
  uint32_t method = 0;
  std::vector<CoverageHit> hits;  // of places that ran

  static constexpr auto described() {
    using namespace table;
    using Row = CoveredByTest;
    return describe(Order::kByKey, Part::kWhole, row_of<CoveredTest>("test", &Row::test, "the test"),
                    row_of<CoveredMethod>("method", &Row::method, "the method that it ran"),
                    derived<Kind::kCount>(
                        "ran", [](const Row& counted) { return places_that_ran(counted.hits); },
                        "how many places in the method's code ran"),
                    field<Kind::kHits>("hits", &Row::hits, "of the method's code, in this test"))
        .added_up();
  }
};

}  // namespace oriel::profile
