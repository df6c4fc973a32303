// Generic functions over tables' descriptions: filtering and merging of rows.
#include "profile/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/table/keep.h"
#include "profile/table/renumber.h"

namespace oriel::profile {
namespace {

using ::testing::SizeIs;

const std::vector<bool> kThreads = {true, false};
const std::vector<bool> kAll;

template <typename Row>
std::vector<Row> kept(std::vector<Row> rows, const table::Wanted& wanted) {
  table::keep(wanted, true, rows);
  return rows;
}

TEST(Tables, ARowIsInTheTimesThatItTouches) {
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll};
  const auto is_kept = [&](const auto& row) { return !kept(std::vector{row}, wanted).empty(); };
  EXPECT_FALSE(is_kept(Sample{.ns = 99}));
  EXPECT_TRUE(is_kept(Sample{.ns = 100}));
  EXPECT_FALSE(is_kept(Sample{.ns = 201}));
  EXPECT_TRUE(is_kept(LockWait{.end_ns = 300, .ns = 100})) << "began within";
  EXPECT_FALSE(is_kept(LockWait{.end_ns = 300, .ns = 99}));
  EXPECT_TRUE(is_kept(Pause{.start_ns = 50, .ns = 50})) << "ends within";
  EXPECT_FALSE(is_kept(Pause{.start_ns = 50, .ns = 49}));
  EXPECT_TRUE(is_kept(Pause{.start_ns = 50, .ns = INT64_MAX})) << "a corrupt log's";
  EXPECT_TRUE(is_kept(AsyncWait{.start_ns = 50, .end_ns = -1})) << "not over";
  EXPECT_TRUE(is_kept(Collection{.start_ns = 50, .end_ns = -1}));
  EXPECT_FALSE(is_kept(Collection{.start_ns = 50, .end_ns = 99}));
  EXPECT_FALSE(is_kept(GcHeap{})) << "a sum of the whole";
  EXPECT_TRUE(is_kept(Abort{}));
}

TEST(Tables, RowsAreOfTheThreadsAndMethodsThatAreAskedFor) {
  const std::vector<bool> functions = {false, true}, nodes = {false, true};
  const table::Wanted wanted{0, INT64_MAX, kThreads, functions, nodes};
  const auto is_kept = [&](const auto& row) { return !kept(std::vector{row}, wanted).empty(); };
  EXPECT_TRUE(is_kept(Sample{.thread = 0, .node = 1}));
  EXPECT_FALSE(is_kept(Sample{.thread = 1, .node = 1}));
  EXPECT_FALSE(is_kept(Sample{.thread = 0, .node = 0}));
  EXPECT_TRUE(is_kept(Compiling{.function = 1}));
  EXPECT_FALSE(is_kept(Compiling{.function = 0}));
  EXPECT_TRUE(is_kept(LockWait{.owner = 1, .node = 1})) << "whoever had the lock";
  EXPECT_FALSE(is_kept(LockWait{.type = 1, .node = 0})) << "the lock's class is no method";
  EXPECT_TRUE(is_kept(FollowedObject{.type = 1, .node = 0})) << "a class of which objects are asked for";
  Activity ended_there;
  ended_there.thread = 1;
  EXPECT_TRUE(is_kept(ended_there));
  EXPECT_TRUE(is_kept(PoolChange{}));
}

TEST(Tables, RowsThatOthersReferToStay) {
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll};
  const std::vector<AsyncCall> calls = kept<AsyncCall>(
      {{.start_ns = 0, .end_ns = 99, .function = 1}, {.start_ns = 0, .end_ns = 100, .function = 2}}, wanted);
  ASSERT_THAT(calls, SizeIs(2));
  EXPECT_EQ(calls[0].function, 0u);
  EXPECT_EQ(calls[1].function, 2u);
}

TEST(Tables, OfASeriesThePointsAreKeptThatAreWithin) {
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll};
  CounterSeries series;
  series.points = {{50, 1}, {150, 2}, {250, 3}};
  const std::vector<CounterSeries> left = kept<CounterSeries>({series}, wanted);
  ASSERT_THAT(left, SizeIs(1));
  ASSERT_THAT(left[0].points, SizeIs(1));
  EXPECT_EQ(left[0].points[0].ns, 150);
  series.points = {{50, 1}};
  EXPECT_THAT(kept<CounterSeries>({series}, wanted), SizeIs(0));
}

TEST(Tables, APartsRowsMoveToTheWhole) {
  const std::vector<uint32_t> function_of = {0, 7}, node_of = {0, 9};
  table::Renumbering by{
      .later_ns = 1000, .first_thread = 10, .first_process = 3, .function_of = function_of, .node_of = node_of};
  by.first_rows[kTableOf<AsyncCall>] = 50;

  LockWait wait{.end_ns = 5, .ns = 2, .thread = 1, .type = 1, .node = 1};
  table::renumber(by, wait);
  EXPECT_EQ(wait.end_ns, 1005);
  EXPECT_EQ(wait.ns, 2) << "a duration";
  EXPECT_EQ(wait.thread, 11u);
  EXPECT_EQ(wait.owner, LockWait::kNobody);
  EXPECT_EQ(wait.type, 7u);
  EXPECT_EQ(wait.node, 9u);

  AsyncCall call{.start_ns = -1, .end_ns = INT64_MAX, .function = 1, .caller = 2};
  table::renumber(by, call);
  EXPECT_EQ(call.start_ns, -1) << "not known";
  EXPECT_EQ(call.end_ns, INT64_MAX) << "a corrupt log's";
  EXPECT_EQ(call.caller, 52u);

  AsyncWait of_call{.call = 2};
  table::renumber(by, of_call);
  EXPECT_EQ(of_call.call, 52u);

  GcStretch stretch{.process = 1};
  table::renumber(by, stretch);
  EXPECT_EQ(stretch.process, 4u);
  EXPECT_EQ(stretch.thread, GcStretch::kAllThreads);
}

TEST(Tables, WhatIsByTimeIsSortedWhereItIsMerged) {
  std::vector<PoolChange> changes = {{.ns = 2, .threads = 1}, {.ns = 1, .threads = 2}};
  table::sort(changes);
  EXPECT_EQ(changes[0].threads, 2u);
  std::vector<Compiling> told = {{.ns = 2}, {.ns = 1}};
  table::sort(told);
  EXPECT_EQ(told[0].ns, 2) << "as told";
}

}  // namespace
}  // namespace oriel::profile
