#include "profile/build/clock_map.h"

#include <gtest/gtest.h>

namespace oriel::profile {
namespace {

constexpr ClockPair kStart = {1'000'000, 5'000'000'000};

TEST(ClockMap, InterpolatesBetweenPairs) {
  ClockMap clock;
  clock.add({1'000'000 + 2'500'000'000, 5'000'000'000 + 1'000'000});  // 2.5 GHz for a second
  clock.add({1'000'000 + 4'500'000'000, 5'000'000'000 + 2'000'000});  // then 2 GHz
  clock.seal(kStart, 1);
  EXPECT_EQ(clock.ns(1'000'000), 0);
  EXPECT_EQ(clock.ns(1'000'000 + 1'250'000'000), 500'000'000);
  EXPECT_EQ(clock.ns(1'000'000 + 3'500'000'000), 1'500'000'000);
  EXPECT_EQ(clock.last_ns(), 2'000'000'000);
}

TEST(ClockMap, GoesOnAfterTheLastPairAndStopsAtZeroBefore) {
  ClockMap clock;
  clock.add({1'000'000 + 1'000'000'000, 5'000'000'000 + 1'000'000});
  clock.seal(kStart, 1);
  EXPECT_EQ(clock.ns(1'000'000 + 3'000'000'000), 3'000'000'000);
  EXPECT_EQ(clock.ns(5), 0);
}

TEST(ClockMap, OnePairUsesTheFallback) {
  ClockMap clock;
  clock.seal(kStart, 0.5);
  EXPECT_FALSE(clock.rate_known());
  EXPECT_EQ(clock.ns(1'000'000 + 1'000), 500);
}

TEST(ClockMap, TimeOfDaySetBackOrForwardDoesNotShow) {
  for (const int64_t step : {-3'600'000'000LL, 3'600'000'000LL}) {
    ClockMap clock;
    for (int64_t second = 1; second <= 10; ++second) {
      const uint64_t counter = 1'000'000 + static_cast<uint64_t>(second) * 1'000'000'000;
      clock.add({counter, static_cast<uint64_t>(5'000'000'000 + second * 1'000'000 + (second > 5 ? step : 0))});
    }
    clock.seal(kStart, 1);
    EXPECT_EQ(clock.last_ns(), 10'000'000'000) << step;
  }
}

TEST(ClockMap, IsMonotoneForPairsInAnyOrder) {
  ClockMap clock;
  for (const uint64_t second : {4, 1, 3, 2}) {
    const uint64_t late_us = second % 2 * 900;  // read late
    clock.add({1'000'000 + second * 1'000'000'000, 5'000'000'000 + second * 1'000'000 + late_us});
  }
  clock.seal(kStart, 1);
  int64_t last = -1;
  for (uint64_t counter = 0; counter < 6'000'000'000; counter += 9'999'991) {
    const int64_t now = clock.ns(counter);
    ASSERT_GE(now, last) << counter;
    last = now;
  }
  EXPECT_EQ(clock.ns(1'000'000), 0);  // also out of order
}

}  // namespace
}  // namespace oriel::profile
