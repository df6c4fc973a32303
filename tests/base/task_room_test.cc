// Whether there is room for threads.
#include "base/process/task_limit.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(TaskRoom, NumbersStandBehindNames) {
  const char* const status = "Name:\tThreads: 9\nUid:\t61\t62\nThreads:\t17\n";
  EXPECT_EQ(number_behind(status, "Threads:"), 17u);
  EXPECT_EQ(number_behind(status, "Uid:"), 61u);
  EXPECT_EQ(number_behind(status, "Gid:"), UINT64_MAX);
  EXPECT_EQ(number_behind("", "Gid:"), UINT64_MAX);
}

TEST(TaskRoom, WhatIsMissingDependsOnWhatThereIs) {
  EXPECT_EQ(tasks_missing({1000, 4}, 2), std::nullopt);
  EXPECT_EQ(tasks_missing({UINT64_MAX, 4}, 64), std::nullopt);
  const std::optional<uint64_t> all = tasks_missing({0, 4}, 2);
  ASSERT_TRUE(all);
  EXPECT_EQ(tasks_missing({*all, 4}, 2), std::nullopt);
  EXPECT_EQ(tasks_missing({*all - 1, 4}, 2), std::optional<uint64_t>(1));
  EXPECT_EQ(tasks_missing({0, 5}, 2), std::optional<uint64_t>(*all - 1)) << "a thread more is there already";
  EXPECT_EQ(tasks_missing({0, 400}, 2), std::optional<uint64_t>(*all - 4)) << "the rest is ours, and a pool's";
}

TEST(TaskRoom, IsAskedOfThisSystem) {
  const std::optional<TaskRoom> room = task_room();
  EXPECT_GE(room.value_or(TaskRoom{0, 1}).threads, 1u);
}

}  // namespace
}  // namespace oriel
