// How often threads that wait are looked at.
#include <gtest/gtest.h>

#include "sampling/signal/look_pace.h"

namespace oriel::sampling {
namespace {

constexpr int64_t kMs = 1'000'000;

// CPU time taken in so much time by looks that each cost as much.
int64_t taken(int64_t cost, int64_t time) {
  LookPace pace;
  int64_t sum = 0;
  for (int64_t now = 10 * kMs; now < time; now = pace.next_look(now, cost, 4 * kMs)) sum += cost;
  return sum;
}

TEST(LookPace, IsThePeriodWhileLooksAreCheap) {
  LookPace pace;
  EXPECT_EQ(pace.next_look(10 * kMs, kMs / 100, 4 * kMs), 14 * kMs);
  EXPECT_EQ(taken(kMs / 100, 40'010 * kMs), 100 * kMs);
}

TEST(LookPace, TakesNoMoreThanItsShareInTheLongRun) {
  for (const int64_t cost : {kMs / 4, kMs, 20 * kMs}) EXPECT_LE(taken(cost, 10'000 * kMs), 355 * kMs) << cost;
}

TEST(LookPace, MayTakeMoreForAWhile) { EXPECT_GE(taken(kMs / 2, 300 * kMs), 30 * kMs); }

TEST(LookPace, SlowsDownAsAWaitGoesOn) {
  EXPECT_EQ(look_interval(0, 4 * kMs), 4 * kMs);
  EXPECT_EQ(look_interval(20 * kMs, 4 * kMs), 4 * kMs);
  EXPECT_EQ(look_interval(800 * kMs, 4 * kMs), 100 * kMs);
  EXPECT_EQ(look_interval(60'000 * kMs, 4 * kMs), kSlowestLooks);
  EXPECT_EQ(look_interval(60'000 * kMs, 1000 * kMs), 1000 * kMs) << "but never below the rate asked for";
}

TEST(LookPace, GivesTheOldWaitHalfOfTheLooksLeftOut) {
  EXPECT_EQ(part_of_old_wait(4 * kMs, 4 * kMs), 0);
  EXPECT_EQ(part_of_old_wait(24 * kMs, 4 * kMs), 10 * kMs);
}

}  // namespace
}  // namespace oriel::sampling
