#include "profile/work/boxing.h"

#include <gtest/gtest.h>

namespace oriel::profile {
namespace {

TEST(Boxing, IsAtTheLastPlaceBeforeIt) {
  Places places;
  places.positions = {{}, {1, 7, 20}, {1, 7, 0}, {1, 7, 30}, {1, 8, 0}, {2, 7, 25}};
  places.boxes = {{1, 7, 25}, {1, 8, 0}, {2, 7, 3}, {3, 1, 1}};
  EXPECT_EQ(boxing_positions(places), (std::vector<bool>{false, true, false, false, true, false}));
}

TEST(Boxing, IsNowhereInALogThatDoesNotTell) {
  Places places;
  places.positions = {{}, {1, 7, 20}};
  EXPECT_EQ(boxing_positions(places), (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace oriel::profile
