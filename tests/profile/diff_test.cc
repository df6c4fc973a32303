#include "profile/trees/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "profile/shop/shop_log.h"

namespace oriel::profile {
namespace {

// A run with that many samples of 4 ms by method.
RunAmounts run_of(const std::map<std::string, int>& samples) {
  RunAmounts run;
  constexpr double kPeriod = 4e6;
  run.quantum[static_cast<size_t>(Metric::kSelf)] = kPeriod;
  for (const auto& [name, count] : samples)
    run.of[static_cast<size_t>(Metric::kSelf)][name] = {count * kPeriod, count * kPeriod * kPeriod};
  return run;
}

std::vector<Difference> compared(const std::vector<RunAmounts>& before, const std::vector<RunAmounts>& after) {
  return differences(before, after, Metric::kSelf);
}

TEST(Diff, OfAProfileWithItselfIsEmpty) {
  const RunAmounts shop = amounts(testing::shop_profile());
  for (size_t metric = 0; metric < kMetrics; ++metric) {
    for (const Difference& row : differences({shop}, {shop}, static_cast<Metric>(metric))) {
      EXPECT_EQ(row.change(), 0) << row.name;
      EXPECT_FALSE(row.significant) << row.name;
    }
  }
}

TEST(Diff, SumsAreThoseOfTheProfile) {
  const Profile shop = testing::shop_profile();
  const double whole = static_cast<double>(shop.total_periods()) * 1e9 / shop.sampling_hz;
  const RunAmounts run = amounts(shop);
  for (const Metric metric : {Metric::kCategory, Metric::kSelf}) {
    double sum = 0;
    for (const auto& [name, amount] : run.of[static_cast<size_t>(metric)]) sum += amount.value;
    EXPECT_NEAR(sum, whole, 1);
  }
  EXPECT_NEAR(run.of[static_cast<size_t>(Metric::kWhole)].at("samples").value, whole, 1);
}

// Rows that stand for many samples are no more by chance than those are.
TEST(Diff, TheNoiseOfMergedSamplesIsThatOfTheSamples) {
  Profile run;
  run.sampling_hz = 1000;
  run.nodes = {{}};
  run.functions = {{}};
  run.threads.resize(1);
  run.samples = {{0, 0, 0, 200}, {0, 0, 0, 300}};
  const auto quantum = [](const Profile& of) { return amounts(of).quantum[static_cast<size_t>(Metric::kSelf)]; };
  EXPECT_NEAR(quantum(run), 1e6 * (200 * 200 + 300 * 300) / 500, 1);
  run.sample_window_ns = 1'000'000'000;
  run.sample_weight = 1;
  EXPECT_NEAR(quantum(run), 1e6, 1);
}

TEST(Diff, TheJitCompilerIsOneCategory) {
  Profile run;
  run.sampling_hz = 1000;
  run.functions = {{}, {"[libclrjit.so]", "", "libclrjit.so", false}};
  run.nodes = {{}, {0, 1, false}};
  run.threads.resize(2);
  run.threads[1].name = ".NET Tiered Compilation Worker";
  run.samples = {{0, 0, 1, 30}, {0, 1, 1, 50}};
  const RunAmounts all = amounts(run);
  const Amounts& categories = all.of[static_cast<size_t>(Metric::kCategory)];
  ASSERT_EQ(categories.size(), 1u);
  EXPECT_EQ(categories.begin()->second.value, 80e6);
}

TEST(Diff, NoiseIsThreeDeviationsOfTheCounts) {
  const std::vector<Difference> rows = compared({run_of({{"Add", 100}})}, {run_of({{"Add", 100}})});
  EXPECT_NEAR(rows[0].noise / 4e6, 3 * std::sqrt(200), 0.01);
}

TEST(Diff, GrownShrunkNewAndGone) {
  const auto rows = compared({run_of({{"Grows", 100}, {"Shrinks", 200}, {"Goes", 50}, {"Stays", 400}})},
                             {run_of({{"Grows", 300}, {"Shrinks", 100}, {"Comes", 50}, {"Stays", 420}})});
  std::map<std::string, bool> significant;
  for (const Difference& row : rows) significant[row.name] = row.significant;
  EXPECT_EQ(significant, (std::map<std::string, bool>{
                             {"Grows", true}, {"Shrinks", true}, {"Goes", true}, {"Comes", true}, {"Stays", false}}));
  EXPECT_EQ(rows[0].name, "Grows");
  EXPECT_FALSE(rows.back().significant);
}

TEST(Diff, AFewSamplesAreNoNews) {
  EXPECT_FALSE(compared({run_of({})}, {run_of({{"Comes", 5}})})[0].significant);
  EXPECT_TRUE(compared({run_of({})}, {run_of({{"Comes", 15}})})[0].significant);
}

TEST(Diff, RunsOfTheSameDifferByNoMoreThanNoise) {
  std::mt19937 random(4711);
  const auto run = [&] {
    std::map<std::string, int> samples;
    for (int method = 0; method < 1000; ++method)
      samples["m" + std::to_string(method)] = std::poisson_distribution<int>(1 + method / 5.0)(random);
    return run_of(samples);
  };
  for (const size_t runs : {1u, 4u}) {
    std::vector<RunAmounts> before, after;
    for (size_t i = 0; i < runs; ++i) {
      before.push_back(run());
      after.push_back(run());
    }
    const auto rows = compared(before, after);
    EXPECT_LE(std::ranges::count(rows, true, &Difference::significant), 12) << runs;
  }
}

TEST(Diff, WhatRunsDifferByAmongThemselvesIsNoise) {
  const std::vector<RunAmounts> before = {run_of({{"Add", 1000}}), run_of({{"Add", 2000}}), run_of({{"Add", 3000}})};
  const std::vector<RunAmounts> after = {run_of({{"Add", 1500}}), run_of({{"Add", 2500}}), run_of({{"Add", 4000}})};
  EXPECT_FALSE(compared(before, after)[0].significant);
  EXPECT_TRUE(compared({before[1]}, {after[1]})[0].significant);  // a single run has no between-run variance
}

TEST(Diff, SeveralRunsShowWhatOneCannot) {
  const RunAmounts a = run_of({{"Add", 100}}), b = run_of({{"Add", 130}});
  EXPECT_FALSE(compared({a}, {b})[0].significant);
  EXPECT_TRUE(compared(std::vector<RunAmounts>(8, a), std::vector<RunAmounts>(8, b))[0].significant);
}

TEST(Diff, StudentsDistributionNearsTheNormalOne) {
  EXPECT_GT(student_t(1), 200);
  EXPECT_NEAR(student_t(10), 3.957, 0.001);
  EXPECT_NEAR(student_t(11), 3.85, 0.05);
  for (size_t degrees = 1; degrees < 50; ++degrees) EXPECT_GT(student_t(degrees), student_t(degrees + 1)) << degrees;
  EXPECT_NEAR(student_t(100'000), 3, 0.001);
}

}  // namespace
}  // namespace oriel::profile
