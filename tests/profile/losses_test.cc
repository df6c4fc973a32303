// Lost data by kind.
#include "profile/work/losses.h"

#include <gtest/gtest.h>

#include "profile/shop/shop_log.h"

namespace oriel::profile {
namespace {

TEST(Losses, StacksAndCallsAreNoSamples) {
  Profile profile = testing::shop_profile();
  profile.lost = {{"buffer-full", 20}, {"stack-broken", 3}, {"nested", 9}, {"calls-buffer-full", 4}, {"nested", 0}};
  const std::vector<Loss> all = losses(profile);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].what, LossKind::kSamples);
  EXPECT_EQ(all[0].count, 29u);
  EXPECT_EQ(all[0].of, 29 + testing::kPeriods);
  ASSERT_EQ(all[0].reasons.size(), 2u);
  EXPECT_EQ(all[0].reasons[1].words, "a sample was being taken");
  EXPECT_EQ(all[1].what, LossKind::kCallers);
  EXPECT_EQ(all[1].of, testing::kPeriods);
  EXPECT_EQ(all[2].what, LossKind::kCallEvents);
  EXPECT_EQ(all[2].of, 0u);
  EXPECT_EQ(lost_samples(profile), 29u);
}

}  // namespace
}  // namespace oriel::profile
