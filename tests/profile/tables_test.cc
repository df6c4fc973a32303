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
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll, kAll};
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
  const table::Wanted wanted{0, INT64_MAX, kThreads, functions, nodes, kAll};
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
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll, kAll};
  const std::vector<AsyncCall> calls = kept<AsyncCall>(
      {{.start_ns = 0, .end_ns = 99, .function = 1}, {.start_ns = 0, .end_ns = 100, .function = 2}}, wanted);
  ASSERT_THAT(calls, SizeIs(2));
  EXPECT_EQ(calls[0].function, 0u);
  EXPECT_EQ(calls[1].function, 2u);
}

TEST(Tables, OfASeriesThePointsAreKeptThatAreWithin) {
  const table::Wanted wanted{100, 200, kThreads, kAll, kAll, kAll};
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
  table::Renumbering by{.later_ns = 1000,
                        .first_thread = 10,
                        .first_process = 3,
                        .call_nodes = 20,
                        .function_of = function_of,
                        .node_of = node_of};
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

  Allocations allocations{.thread = 1, .node = 3, .site = 1};
  table::renumber(by, allocations);
  EXPECT_EQ(allocations.node, 23u);
  EXPECT_EQ(allocations.site, 7u);
  Allocations at_start;
  table::renumber(by, at_start);
  EXPECT_EQ(at_start.node, 0u) << "the root is one";

  GcStretch stretch{.process = 1};
  table::renumber(by, stretch);
  EXPECT_EQ(stretch.process, 4u);
  EXPECT_EQ(stretch.thread, GcStretch::kAllThreads);
}

TEST(Tables, FiguresOfCallsStayWithoutWhatTheyCount) {
  const std::vector<bool> functions = {false, true}, nodes = {false, true};
  const table::Wanted wanted{0, INT64_MAX, kThreads, functions, nodes, nodes};
  const std::vector<CallFigures> left = kept<CallFigures>(
      {{.node = 0}, {.node = 1, .calls = 2, .self_ns = 3}, {.thread = 1, .node = 1, .calls = 4}}, wanted);
  ASSERT_THAT(left, SizeIs(3));
  EXPECT_EQ(left[1].calls, 2u);
  EXPECT_EQ(left[2].calls, 0u);
  EXPECT_EQ(left[2].thread, 1u);
  EXPECT_THAT(kept<Allocations>({{.node = 0, .type = 1}, {.node = 1}, {.node = 0}}, wanted), SizeIs(2));
}

TEST(Tables, RowsThatDifferInWhatTheyCountAreAddedUp) {
  std::vector<ThrownAt> thrown = {{"B", 1, 2}, {"A", 2, 3}, {"B", 1, 4}};
  table::add_up(thrown);
  table::sort(thrown);
  ASSERT_THAT(thrown, SizeIs(2));
  EXPECT_EQ(thrown[0].type, "A");
  EXPECT_EQ(thrown[1].thrown, 6u);
  std::vector<ExceptionType> types = {{"A", 1, 0}, {"B", 2, 2}, {"A", 3, 1}};
  table::add_up(types);
  table::sort(types);
  ASSERT_THAT(types, SizeIs(2));
  EXPECT_EQ(types[0].type, "A") << "most first";
  EXPECT_EQ(types[0].caught, 1u);
  std::vector<ExceptionMessage> messages = {{"A", "no", 5}, {"A", "no", 6}, {"A", "yes", 7}};
  table::add_up(messages);
  ASSERT_THAT(messages, SizeIs(2));
  EXPECT_EQ(messages[0].node, 5u) << "the first one's";
  std::vector<Counter> counters = {{"cpu.periods", 5}, {"x", 5}, {"cpu.periods", 7}, {"x", 7}};
  table::add_up(counters);
  EXPECT_EQ(counters[0].count, 7u) << "all processes count the same";
  EXPECT_EQ(counters[1].count, 12u);
  std::vector<LockWait> waits = {{.ns = 1}, {.ns = 1}};
  table::add_up(waits);
  EXPECT_THAT(waits, SizeIs(2)) << "of most tables no two rows are one";
}

TEST(Tables, RowsThatOthersReferToMayMove) {
  const std::vector<uint32_t> none;
  std::vector<CoveredTest> tests;
  std::vector<CoveredByTest> parts;
  for (const char* name : {"B", "A", "B"}) {
    table::Renumbering by{.function_of = none, .node_of = none};
    by.first_rows[kTableOf<CoveredTest>] = static_cast<uint32_t>(tests.size());
    table::append(by, tests, {{name}});
    table::append(by, parts, {{0, 0, {{false, 0, 0, 1}}}});
  }
  ASSERT_THAT(tests, SizeIs(2));
  ASSERT_THAT(parts, SizeIs(2)) << "of one test";
  EXPECT_EQ(parts[0].hits[0].count, 2u);
  table::MovedRows moved;
  table::put_in_order(moved, tests);
  table::put_in_order(moved, parts);
  EXPECT_EQ(tests[0].name, "A");
  EXPECT_EQ(parts[0].test, 0u);
  EXPECT_EQ(parts[0].hits[0].count, 1u);
  EXPECT_EQ(parts[1].hits[0].count, 2u);
}

TEST(Tables, OfSeveralLogsTheSumIsOneRow) {
  EXPECT_EQ(table::sum_of(std::vector<CallTotal>()).enters, 0u);
  const CallTotal sum = table::sum_of<CallTotal>({{.enters = 1}, {.aggregated = true, .enters = 2}});
  EXPECT_EQ(sum.enters, 3u);
  EXPECT_TRUE(sum.aggregated);
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
