// A budget against simulated loads: it must be held, soon, and without going up and down.
#include "budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace oriel::log_module {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint32_t kOnePercent = 10'000;

// What Oriel takes of one processor: a part that does not depend on the pace, and one that does.
struct Load {
  double fixed = 0, by_pace = 0;
  double processors = 1;  // that the program keeps busy
};

struct Course {
  std::vector<double> shares;  // of the program's time (at least one processor's), in percent
  std::vector<uint32_t> paces;
  int changes = 0;
};

double noise_at(int second, double noise) {
  const double random = std::fmod(std::sin(second * 12.9898) * 43758.5453, 1.0);  // -1 to 1
  return 1 + noise * random;
}

Course run(Budget& budget, int seconds, const std::function<Load(int second)>& load_at, double noise = 0) {
  Course course;
  for (int second = 0; second < seconds; ++second) {
    const Load load = load_at(second);
    const double taken = (load.fixed + load.by_pace * budget.pace() / 1000) * noise_at(second, noise);
    course.shares.push_back(100 * taken / std::max(load.processors, 1.0));
    const uint32_t before = budget.pace();
    budget.take({.passed = kSecond,
                 .program = static_cast<uint64_t>(load.processors * kSecond),
                 .oriel = static_cast<uint64_t>(taken * kSecond)});
    course.changes += budget.pace() != before;
    course.paces.push_back(budget.pace());
  }
  return course;
}

double average(const std::vector<double>& values, size_t from) {
  double sum = 0;
  for (size_t i = from; i < values.size(); ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - from);
}

TEST(Budget, WhatIsWithinItStaysAsItIs) {
  Budget budget(kOnePercent);
  const Course course = run(
      budget, 100,
      [](int) {
        return Load{0.002, 0.007, 1};
      },
      0.1);
  EXPECT_EQ(course.changes, 0);
  EXPECT_EQ(budget.pace(), 1000u);
}

TEST(Budget, IsHeldSoonAndWithoutGoingUpAndDown) {
  for (const double fixed : {0.0, 0.002, 0.006}) {
    for (const double by_pace : {0.01, 0.03, 0.2}) {
      Budget budget(kOnePercent);
      const Course course = run(budget, 120, [&](int) { return Load{fixed, by_pace, 1}; });
      for (size_t i = 12; i < course.shares.size(); ++i) EXPECT_LE(course.shares[i], 1.0) << fixed << " " << by_pace;
      EXPECT_GE(average(course.shares, 20), 0.68) << fixed << " " << by_pace;
      EXPECT_LE(course.changes, 12) << fixed << " " << by_pace;
    }
  }
}

TEST(Budget, NoiseDoesNotMoveItMuch) {
  Budget budget(kOnePercent);
  const Course course = run(
      budget, 600,
      [](int) {
        return Load{0.002, 0.03, 1};
      },
      0.3);
  EXPECT_LE(average(course.shares, 20), 1.0);
  EXPECT_GE(average(course.shares, 20), 0.6);
  EXPECT_LE(course.changes, 60);
}

TEST(Budget, FollowsALoadThatGrowsAndGoesAgain) {
  Budget budget(kOnePercent);
  const auto load = [](int second) { return Load{0.001, second >= 60 && second < 120 ? 0.05 : 0.005, 1}; };
  const Course course = run(budget, 240, load);
  EXPECT_EQ(course.paces[59], 1000u);
  EXPECT_LE(course.shares[70], 1.0);
  EXPECT_LT(course.paces[119], 250u);
  EXPECT_EQ(course.paces[160], 1000u);
}

// Of a program that does little, a processor's share counts; of one that has many threads, their time.
TEST(Budget, CountsAgainstWhatTheProgramUsesAndAtLeastOneProcessor) {
  Budget idle(kOnePercent), busy(kOnePercent);
  run(idle, 60, [](int) { return Load{0.004, 0.004, 0.01}; });
  EXPECT_EQ(idle.pace(), 1000u);
  EXPECT_NEAR(idle.used(), 8'000, 100);
  run(busy, 60, [](int) { return Load{0.01, 0.2, 32}; });
  EXPECT_EQ(busy.pace(), 1000u);
}

TEST(Budget, IsHopelessWhereThePaceDoesNotHelp) {
  Budget budget(kOnePercent);
  run(budget, 10, [](int) { return Load{0.05, 0.01, 1}; });
  EXPECT_FALSE(budget.is_hopeless());
  run(budget, 20, [](int) { return Load{0.05, 0.01, 1}; });
  EXPECT_TRUE(budget.is_hopeless());
  EXPECT_EQ(budget.pace(), 10u);
}

}  // namespace
}  // namespace oriel::log_module
