#include "cover/threshold.h"

#include <gtest/gtest.h>

namespace oriel::cli {
namespace {

coverage::Totals totals(uint64_t lines, uint64_t hit) {
  coverage::Totals made;
  made.lines = lines;
  made.lines_hit = hit;
  made.branches = 4;
  made.branches_hit = 2;
  return made;
}

TEST(Threshold, IsAPercentageOfWhatIsNamed) {
  const auto parsed = parse_thresholds({"80", "branches=72.5", "methods=0", "lines=100"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ((*parsed)[0].of, Threshold::Of::kLines);
  EXPECT_EQ((*parsed)[1].of, Threshold::Of::kBranches);
  EXPECT_EQ((*parsed)[1].percent, 72.5);
}

TEST(Threshold, WhatIsNoPercentageIsRefused) {
  for (const char* text : {"", "x", "80%", "-1", "101", "lines=", "files=80", "1e1", "nan", "8 0", "=80"}) {
    const auto parsed = parse_thresholds({text});
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.message(), std::string("--fail-under ") + text +
                                    ": give a percentage from 0 to 100, of lines, or as branches=70 or methods=90");
  }
}

TEST(Threshold, SaysHowMuchIsMissing) {
  const auto missing = [](std::vector<std::string> texts, const coverage::Totals& of) {
    return below(*parse_thresholds(texts), of);
  };
  EXPECT_TRUE(missing({"80"}, totals(10, 8)).empty());
  EXPECT_TRUE(missing({"82"}, totals(50, 41)).empty()) << "what 0.82 * 50 is, whatever floating-point makes of it";
  EXPECT_EQ(
      missing({"80", "branches=75"}, totals(10, 7)),
      (std::vector<std::string>{"70.00 % of the lines ran, below the required 80 %: 1 more of 10 have to run",
                                "50.00 % of the branches ran, below the required 75 %: 1 more of 4 have to run"}));
  EXPECT_EQ(missing({"99.9"}, totals(100'000, 99'899)).size(), 1u);
  EXPECT_TRUE(missing({"methods=90"}, totals(10, 7)).empty()) << "of nothing";
}

}  // namespace
}  // namespace oriel::cli
