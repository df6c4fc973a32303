#include "thread_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tree_text.h"

namespace oriel::callgraph_module {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr size_t kUsualBudget = 160u << 20;

class ThreadTreeTest : public testing::Test {
 protected:
  ThreadTreeTest() { lay_out(); }
  ~ThreadTreeTest() override { Arena::set_budget(kUsualBudget); }

  void enter(uint32_t id) { tree.enter(method(id)); }
  void leave(uint32_t id) { tree.leave(method(id)); }

  ThreadTree tree{1};
};

TEST_F(ThreadTreeTest, AddsCallsUpByTheirCallers) {
  enter(1);
  for (int i = 0; i < 3; ++i) {
    enter(2);
    enter(3);
    leave(3);
    leave(2);
  }
  enter(3);
  leave(3);
  leave(1);
  EXPECT_THAT(texts_of(tree), UnorderedElementsAre("1 x1", "1/2 x3", "1/2/3 x3", "1/3 x1"));
}

TEST_F(ThreadTreeTest, RecursionIsAsDeepInTheTree) {
  for (int i = 0; i < 3; ++i) enter(1);
  for (int i = 0; i < 3; ++i) leave(1);
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x1", "1/1 x1", "1/1/1 x1"));
}

TEST_F(ThreadTreeTest, AMillionFramesDeep) {
  constexpr uint32_t kDepth = 1'000'000;
  for (uint32_t i = 0; i < kDepth; ++i) enter(1 + i % 2);
  const log::CallGraph deep = snapshot(tree, 1);
  ASSERT_EQ(deep.nodes.size(), kDepth);
  EXPECT_TRUE(deep.nodes.back().running);
  EXPECT_EQ(deep.nodes.back().parent, kDepth - 1);
  for (uint32_t i = kDepth; i-- > 0;) leave(1 + i % 2);
  const log::CallGraph graph = snapshot(tree, 2);
  ASSERT_EQ(graph.nodes.size(), kDepth);
  for (const log::CallNode& node : graph.nodes) {
    ASSERT_FALSE(node.running);
    ASSERT_EQ(node.calls, 1u);
    ASSERT_EQ(node.folded, 0u);
  }
  EXPECT_EQ(tree.leaves_ignored() + tree.frames_closed(), 0u);
}

TEST_F(ThreadTreeTest, ExceptionsEndCallsAndAreCounted) {
  for (int i = 0; i < 2; ++i) {
    enter(1);
    enter(2);
    tree.leave_by_exception(method(2));
    tree.leave_by_exception(method(1));
  }
  enter(1);
  leave(1);
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x3 !2", "1/2 x2 !2"));
}

TEST_F(ThreadTreeTest, ALeaveEndsTheCallsThatNobodySawLeave) {
  enter(1);
  enter(2);
  enter(3);
  enter(4);
  leave(2);
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x1 ~", "1/2 x1", "1/2/3 x1", "1/2/3/4 x1"));
  EXPECT_EQ(tree.frames_closed(), 2u);
  enter(5);
  leave(5);
  leave(1);
  EXPECT_THAT(texts_of(tree), testing::Contains("1/5 x1"));
  EXPECT_EQ(tree.leaves_ignored(), 0u);
}

TEST_F(ThreadTreeTest, ALeaveWithoutAnEnterIsIgnored) {
  leave(9);
  tree.leave_by_exception(method(8));
  enter(1);
  leave(9);
  enter(2);
  leave(2);
  leave(1);
  EXPECT_EQ(tree.leaves_ignored(), 3u);
  EXPECT_EQ(tree.frames_closed(), 0u);
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x1", "1/2 x1"));
}

TEST_F(ThreadTreeTest, TheNearestOfSeveralCallsIsTheOneThatLeft) {
  enter(1);
  enter(2);
  enter(1);
  enter(3);
  leave(1);
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x1 ~", "1/2 x1 ~", "1/2/1 x1", "1/2/1/3 x1"));
}

TEST_F(ThreadTreeTest, AThousandCalleesAreFoundAgain) {
  enter(1);
  for (int round = 0; round < 3; ++round) {
    for (uint32_t id = 1; id <= 1000; ++id) {
      enter(id);
      leave(id);
    }
  }
  leave(1);
  const log::CallGraph graph = snapshot(tree, 1);
  EXPECT_THAT(graph.nodes, SizeIs(1001));
  for (size_t i = 1; i < graph.nodes.size(); ++i) EXPECT_EQ(graph.nodes[i].calls, 3u);
}

TEST_F(ThreadTreeTest, AllocationsAddUpByClassWhereTheyAreMade) {
  tree.allocate(klass(7), 24);
  enter(1);
  tree.allocate(klass(7), 24);
  tree.allocate(klass(8), 100);
  tree.allocate(klass(7), 24);
  enter(2);
  tree.allocate(klass(9), 1'000'000'000'000);
  leave(2);
  leave(1);
  EXPECT_THAT(texts_of(tree),
              ElementsAre("1 x1 {8: 1, 100} {7: 2, 48}", "1/2 x1 {9: 1, 1000000000000}", "0 x0 {7: 1, 24}"));
}

TEST_F(ThreadTreeTest, ManyClassesOfOneNode) {
  for (int round = 0; round < 2; ++round)
    for (uint32_t id = 1; id <= 1000; ++id) tree.allocate(klass(id), id);
  const log::CallGraph graph = snapshot(tree, 1);
  ASSERT_THAT(graph.nodes, SizeIs(1));
  ASSERT_THAT(graph.nodes[0].allocations, SizeIs(1000));
  for (const log::CallAllocation& it : graph.nodes[0].allocations) {
    EXPECT_EQ(it.objects, 2u);
    EXPECT_EQ(it.bytes, 2 * it.klass);
  }
}

TEST_F(ThreadTreeTest, BeyondItsMemoryCallsAreCountedWithTheirCaller) {
  Arena::set_budget(Arena::taken() + 16 * 1024);
  constexpr uint64_t kDepth = 10'000;
  for (uint64_t i = 0; i < kDepth; ++i) enter(1);
  tree.allocate(klass(1), 24);
  for (uint64_t i = 0; i < kDepth; ++i) leave(1);
  enter(2);
  leave(2);
  const log::CallGraph graph = snapshot(tree, 1);
  uint64_t calls = 0;
  for (const log::CallNode& node : graph.nodes) {
    EXPECT_FALSE(node.running);
    calls += node.calls + node.folded;
  }
  EXPECT_EQ(calls, kDepth + 1);
  EXPECT_GT(graph.nodes.size(), 100u);
  EXPECT_LT(graph.nodes.size(), 200u);
  EXPECT_EQ(tree.leaves_ignored(), 0u);
}

TEST_F(ThreadTreeTest, WithoutAnyMemoryNothingBreaks) {
  Arena::set_budget(0);
  enter(1);
  enter(2);
  tree.allocate(klass(1), 24);
  tree.leave_by_exception(method(2));
  leave(1);
  leave(1);
  EXPECT_THAT(texts_of(tree), ElementsAre("0 x0 +2"));
  EXPECT_EQ(tree.allocations_lost(), 1u);
  EXPECT_EQ(tree.leaves_ignored(), 1u);
}

TEST_F(ThreadTreeTest, AThreadThatEndsHasNoRunningCalls) {
  enter(1);
  enter(2);
  tree.finish();
  EXPECT_TRUE(tree.is_finished());
  EXPECT_THAT(texts_of(tree), ElementsAre("1 x1", "1/2 x1"));
  EXPECT_EQ(tree.frames_closed(), 2u);
}

TEST_F(ThreadTreeTest, AbsorbsOthersThatHaveEnded) {
  ThreadTree all(0);
  for (uint32_t i = 0; i < 3; ++i) {
    ThreadTree ended(2);
    ended.enter(method(1));
    ended.enter(method(2 + i % 2));
    ended.allocate(klass(4), 16);
    ended.leave_by_exception(method(2 + i % 2));
    ended.leave(method(1));
    ended.leave(method(9));
    ended.finish();
    all.absorb(ended);
  }
  EXPECT_THAT(texts_of(all), UnorderedElementsAre("1 x3", "1/2 x2 !2 {4: 2, 32}", "1/3 x1 !1 {4: 1, 16}"));
  EXPECT_EQ(snapshot(all, 1).threads, 3u);
  EXPECT_EQ(all.leaves_ignored(), 3u);
}

TEST_F(ThreadTreeTest, TimeOfACallerIsNotLessThanThatOfItsCallees) {
  enter(1);
  for (int i = 0; i < 1000; ++i) {
    enter(2);
    enter(3);
    leave(3);
    leave(2);
  }
  const log::CallGraph graph = snapshot(tree, 1);
  ASSERT_THAT(graph.nodes, SizeIs(3));
  EXPECT_GT(graph.nodes[2].ticks, 0u);
  EXPECT_GE(graph.nodes[1].ticks, graph.nodes[2].ticks);
  EXPECT_GE(graph.nodes[0].ticks, graph.nodes[1].ticks);  // still runs
  EXPECT_TRUE(graph.nodes[0].running);
}

// Callbacks choose one segment in about 260.
TEST_F(ThreadTreeTest, TimedAndLongSegmentsAreTheInnermostCalls) {
  enter(1);
  enter(2);
  tree.add_timed(100);
  tree.add_timed(modules::kLongSegment + 1);  // not a short one
  leave(2);
  tree.add_timed(50);
  const uint64_t begin = ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  while (ticks() - begin < 2 * modules::kMayHaveWaited) {
  }
  leave(1);
  tree.add_timed(70);  // outside
  const log::CallGraph graph = snapshot(tree, 1);
  ASSERT_THAT(graph.timings, SizeIs(2));
  EXPECT_EQ(graph.timings[0].node, 1u);
  EXPECT_EQ(graph.timings[0].timed_ticks, 50u);
  EXPECT_GE(graph.timings[0].longs, 1u);
  EXPECT_GE(graph.timings[0].waited_ns, 15'000'000u);
  EXPECT_EQ(graph.timings[1].node, 2u);
  EXPECT_EQ(graph.timings[1].timed, 1u);
  EXPECT_EQ(graph.timings[1].timed_ticks, 100u);
}

TEST_F(ThreadTreeTest, WhatRunsIsALongSegmentToo) {
  enter(1);
  enter(2);
  const uint64_t begin = ticks();
  while (ticks() - begin < 4 * modules::kLongSegment) {
  }
  const log::CallGraph graph = snapshot(tree, 1);
  ASSERT_FALSE(graph.timings.empty());
  EXPECT_EQ(graph.timings.back().node, 2u);
  EXPECT_GT(graph.timings.back().long_ticks, 4 * modules::kLongSegment);
}

TEST(Costs, AreMeasuredInTheProcess) {
  const modules::ProbeCosts costs = measure_costs(true);
  EXPECT_GT(costs.reading, 0);
  EXPECT_GT(costs.timed, 0);
  EXPECT_LE(costs.hidden, costs.timed);
  EXPECT_GT(costs.allocation, 0);
}

TEST_F(ThreadTreeTest, OneThatCountedNothingIsEmpty) { EXPECT_THAT(texts_of(tree), IsEmpty()); }

}  // namespace
}  // namespace oriel::callgraph_module
