#include "profile/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/work/category.h"

namespace oriel::profile {
namespace {

using testing::ElementsAre;

TEST(Samples, AddUpAsTheyAreNow) {
  Samples samples = {{0, 0, 2, 3}, {0, 0, 1, 1}};
  EXPECT_EQ(samples.periods(), 4u);
  EXPECT_THAT(samples.by_node(), ElementsAre(0, 1, 3));
  samples.push_back({0, 0, 2, 5});
  EXPECT_THAT(samples.by_node(), ElementsAre(0, 1, 8));
  samples.change().pop_back();
  samples.change().front().node = 0;
  EXPECT_EQ(samples.periods(), 4u);
  EXPECT_THAT(samples.by_node(), ElementsAre(3, 1));
  samples = {};
  EXPECT_EQ(samples.periods(), 0u);
}

TEST(Samples, AreForWhatTheyAreForNow) {
  Profile profile;
  profile.functions = {{}, {"[kernel]", "", "", false}, {"memmove", "", "libc.so.6", false}};
  profile.threads.resize(1);
  profile.nodes = {{}, {0, 1, false, 0}, {0, 2, false, 0}};
  profile.samples.push_back({0, 0, 1, 2});
  ASSERT_EQ(shares(profile).size(), 1u);
  profile.samples.push_back({0, 0, 2, 1});
  EXPECT_EQ(shares(profile).size(), 2u);
  EXPECT_EQ(category_totals(profile).size(), 2u);
}

}  // namespace
}  // namespace oriel::profile
