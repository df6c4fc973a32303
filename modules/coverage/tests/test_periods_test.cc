#include "test_periods.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace oriel::coverage_module {
namespace {

// The calls about periods, in order: "+A" the present one belongs to A, "A" the one of A ends, "-" one of nobody ends.
struct Stretches : testing::Test {
  static std::string shown(std::string names) {
    for (char& c : names) c = c == '\n' ? '&' : c;
    return names.empty() ? "-" : names;
  }
  std::string told;
  TestPeriods periods{[this](const std::string& names) { told += "+" + shown(names) + " "; },
                      [this](const std::string& names) { told += shown(names) + " "; }};
  coverage_module::Test a{"A"}, b{"B"}, c{"C"};
};

TEST_F(Stretches, WithWhatPreparesThemAreOneTests) {
  for (coverage_module::Test* const test : {&a, &b}) {
    periods.prepares();
    periods.prepares();
    periods.begins(*test);
    TestPeriods::ends(*test);
  }
  periods.finish();
  EXPECT_EQ(told, "- +A A +B B ");
}

TEST_F(Stretches, OfTestsWithoutPreparation) {
  for (coverage_module::Test* const test : {&a, &b}) {
    periods.begins(*test);
    TestPeriods::ends(*test);
  }
  periods.finish();
  EXPECT_EQ(told, "- +A A +B B ");
}

TEST_F(Stretches, OfATheorysCasesAreOneUnlessSomethingPreparesEach) {
  for (int round = 0; round < 3; ++round) {
    periods.begins(a);
    TestPeriods::ends(a);
  }
  periods.prepares();
  periods.begins(a);
  TestPeriods::ends(a);
  periods.finish();
  EXPECT_EQ(told, "- +A A +A A ");
}

TEST_F(Stretches, OfTestsThatRunAtTheSameTimeAreBoths) {
  periods.begins(b);
  periods.begins(a);
  periods.prepares();  // ambiguous owner
  TestPeriods::ends(b);
  periods.begins(c);
  TestPeriods::ends(a);
  TestPeriods::ends(c);
  periods.prepares();
  periods.begins(b);
  periods.finish();
  EXPECT_EQ(told, "- +B B +A&B A&B +A&C A&C +B B ");
}

TEST_F(Stretches, OfATestThatEndsWhileOneEndsAreItsToo) {
  std::string ended;
  coverage_module::Test first{"first"}, second{"second"};
  TestPeriods others([](const std::string&) {},
                     [&](const std::string& names) {
                       ended += shown(names) + " ";
                       TestPeriods::ends(first);
                     });
  others.begins(first);
  others.begins(second);
  others.finish();
  EXPECT_EQ(ended, "- first first&second ");
}

TEST_F(Stretches, WithoutATestAreNobodys) {
  TestPeriods::ends(a);
  periods.finish();
  EXPECT_EQ(told, "");
  periods.begins(a);
  TestPeriods::ends(a);
  periods.begins(b);
  EXPECT_EQ(told, "- +A A +B ") << "one that ended before it began has not ended for good";
}

TEST(TestPeriodsThreads, EndOneStretchAtATime) {
  std::vector<std::string> ended;  // guarded by the periods
  TestPeriods periods([](const std::string&) {}, [&](const std::string& names) { ended.push_back(names); });
  constexpr int kRounds = 500;
  std::vector<coverage_module::Test> tests(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < tests.size(); ++i) {
    tests[i].name = std::to_string(i);
    threads.emplace_back([&periods, &test = tests[i]] {
      for (int round = 0; round < kRounds; ++round) {
        periods.begins(test);
        TestPeriods::ends(test);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  periods.finish();
  std::string all;
  for (const std::string& names : ended) all += names + "\n";
  for (const coverage_module::Test& test : tests) EXPECT_NE(all.find(test.name), std::string::npos) << test.name;
}

}  // namespace
}  // namespace oriel::coverage_module
