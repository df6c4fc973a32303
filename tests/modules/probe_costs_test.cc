#include "modules/probe_costs.h"

#include <gtest/gtest.h>

namespace oriel::modules {
namespace {

TEST(TypicalCosts, AreNothingBeforeTheFirstMeasurement) {
  TypicalCosts costs;
  costs.add({});  // failed
  EXPECT_EQ(costs.typical().reading, 0);
}

TEST(TypicalCosts, AreTheMedianOfEachCost) {
  TypicalCosts costs;
  costs.add({80, 8, 40, 5});
  costs.add({500, 2, 30, 6});
  costs.add({90, 9, 900, 7});
  const ProbeCosts typical = costs.typical();
  EXPECT_EQ(typical.timed, 90);
  EXPECT_EQ(typical.hidden, 8);
  EXPECT_EQ(typical.reading, 40);
  EXPECT_EQ(typical.allocation, 6);
}

TEST(TypicalCosts, FollowAProcessorThatGetsSlower) {
  TypicalCosts costs;
  for (int i = 0; i < 100; ++i) costs.add({80, 8, 40, 5});
  for (int i = 0; i < 31; ++i) costs.add({160, 16, 80, 10});
  EXPECT_EQ(costs.typical().timed, 160);
}

// A try that something interrupts is not the usual one, nor is the one that had the most luck.
TEST(ProbeCosts, AreThoseOfTheUsualTry) {
  int tries = 0;
  const ProbeCosts costs = measure({[&](bool, uint64_t (*)(uint64_t)) {
                                      ++tries;
                                      return tries % 9 == 0 ? 700.0 : tries % 9 == 1 ? 1.0 : 50.0;
                                    },
                                    {}});
  EXPECT_EQ(costs.timed, 50);
  EXPECT_EQ(costs.reading, 50);
  EXPECT_EQ(costs.allocation, 0);
}

}  // namespace
}  // namespace oriel::modules
