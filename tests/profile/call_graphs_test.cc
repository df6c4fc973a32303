#include "profile/build/call_graphs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "log/properties.h"
#include "profile/build/builder.h"
#include "profile/trees/call_edges.h"
#include "profile/trees/call_totals.h"

namespace oriel::profile {
namespace {

// Counters are nanoseconds: 10^9 per second.
constexpr uint64_t kSecond = 1'000'000'000;

class CallGraphsTest : public testing::Test {
 protected:
  CallGraphsTest() {
    log::Intro intro;
    intro.clock = {1000, 1'000'000};
    builder.on_intro(intro);
    builder.on_clock({1000, 1'000'000});
    for (uint64_t id = 1; id <= 3; ++id) builder.on_method({id, 0, "M" + std::to_string(id), ""});
    builder.on_class({7, 24, 0, "Box"});
  }
  void graph(uint64_t dump, uint64_t thread, std::vector<log::CallNode> nodes) {
    log::CallGraph head;
    head.dump = dump;
    head.thread = thread;
    head.threads = thread == 0 ? 70 : 1;
    head.counter = 1000 + kSecond;
    head.frames_closed = 2;
    head.leaves_ignored = 3;
    builder.on_call_graph(head);
    for (const log::CallNode& node : nodes) builder.on_call_node(node);
  }
  Profile finish() {
    builder.on_clock({1000 + kSecond, 2'000'000});
    builder.on_end({log::kVersion2, {1000 + kSecond, 2'000'000}});
    return builder.finish({});
  }

  Builder builder;
};

TEST_F(CallGraphsTest, BecomeCallsWithTimesOfTheirOwn) {
  graph(1, 5,
        {{1, 0, 1, true, 1, 900, 0, 0, {}},
         {2, 1, 2, false, 10, 600, 4, 1, {{7, 3, 72}}},
         {3, 2, 3, false, 5, 100, 0, 0, {}}});
  const Profile profile = finish();
  const CallTotal total = profile.call_total();
  EXPECT_TRUE(total.aggregated);
  ASSERT_EQ(profile.call_nodes.size(), 4u);
  EXPECT_EQ(profile.call_figures[1].self_ns, 300);
  EXPECT_EQ(profile.call_figures[2].self_ns, 500);
  EXPECT_EQ(profile.call_figures[3].self_ns, 100);
  EXPECT_EQ(profile.call_figures[1].running, 1u);
  EXPECT_EQ(profile.call_figures[2].by_exception, 4u);
  EXPECT_EQ(total.enters, 17u);
  EXPECT_EQ(total.folded, 1u);
  EXPECT_EQ(total.without_leave, 2u);
  EXPECT_EQ(total.without_enter, 3u);
  ASSERT_EQ(profile.allocations.size(), 1u);
  EXPECT_EQ(profile.allocations[0].bytes, 72u);
  EXPECT_EQ(profile.functions[profile.allocations[0].site].name, "M2");
  const auto methods = method_calls(profile);
  ASSERT_EQ(methods.size(), 3u);
  EXPECT_EQ(methods[0].average_ns, 60);  // M2, ten calls of 600 ns
}

TEST_F(CallGraphsTest, PiecesOfAnIteratorAreItsCalls) {
  builder.on_method({2, 0, "All()", ""});
  builder.on_method({3, 0, "All()", "<All>d__1.MoveNext()"});
  graph(1, 5,
        {{1, 0, 1, false, 1, 900, 0, 0, {}},
         {2, 1, 2, false, 1, 50, 0, 0, {{7, 1, 24}}},
         {3, 1, 3, false, 4, 400, 0, 0, {}},
         {4, 2, 3, false, 1, 20, 0, 0, {{7, 2, 48}}}});
  const Profile profile = finish();
  const auto methods = method_calls(profile);
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[1].calls, 5u);
  EXPECT_EQ(methods[1].total_ns, 450);
  EXPECT_FALSE(methods[1].recursive);
  EXPECT_FALSE(methods[0].recursive);
  for (const Allocations& one : profile.allocations)
    EXPECT_EQ(profile.call_nodes[one.node].function, methods[1].function);
}

// A getter that is called a million times: probe costs must not count as its time or its caller's.
TEST_F(CallGraphsTest, WhatProbesTookIsTakenOutAtEachLevel) {
  constexpr uint64_t kCalls = 1'000'000;
  graph(1, 5,
        {{1, 0, 1, false, 1, 150'000'000 + 45 * kCalls, 0, 0, {}},
         {2, 1, 2, false, 1, 50'000'000 + 45 * kCalls, 0, 0, {}},
         {3, 2, 3, false, kCalls, 25 * kCalls, 0, 0, {}}});
  builder.on_call_timing({1, 0, 0, 2, 100'000'000, 40'000'000});
  builder.on_call_timing({2, 1000, 70'000, 1, 50'000'000, 0});
  builder.on_call_timing({3, 1000, 70'000, 0, 0, 0});
  builder.on_counter({log::counter::kProbesTimed, 70'000});
  builder.on_counter({log::counter::kProbesReading, 25'000});
  const Profile profile = finish();
  const std::vector<CallFigures>& figures = profile.call_figures;
  EXPECT_EQ(figures[3].self_ns, 0);
  EXPECT_NEAR(static_cast<double>(figures[2].self_ns), 50'000'000, 100);
  EXPECT_NEAR(static_cast<double>(figures[1].self_ns), 100'000'000, 100);
  EXPECT_EQ(figures[1].waited_ns, 40'000'000);
  EXPECT_EQ(figures[3].measured_ns, 25'000'000);
  const CallSums sums = sum_calls(profile);
  EXPECT_EQ(sums.measured_ns, 150'000'000 + 45'000'000);
  EXPECT_EQ(sums.waited_ns, 40'000'000);
  for (const MethodCalls& method : method_calls(profile))
    EXPECT_EQ(*method.average_ns,
              std::llround(static_cast<double>(method.total_ns) / static_cast<double>(method.outermost)));
}

TEST_F(CallGraphsTest, TheLastDumpReplacesThoseBefore) {
  graph(1, 5, {{1, 0, 1, false, 1, 100, 0, 0, {}}});
  graph(1, 6, {{1, 0, 1, false, 1, 100, 0, 0, {}}});
  graph(2, 5, {{1, 0, 1, false, 4, 400, 0, 0, {}}});
  graph(1, 7, {{1, 0, 1, false, 9, 900, 0, 0, {}}});
  graph(2, 0, {{1, 0, 2, false, 3, 300, 0, 0, {}}});
  const Profile profile = finish();
  EXPECT_EQ(profile.call_total().enters, 7u);
  ASSERT_EQ(profile.call_figures.size(), 3u);
  EXPECT_EQ(profile.threads[profile.call_figures[2].thread].name, "70 threads that have ended");
}

TEST_F(CallGraphsTest, CalleesWithMoreTimeThanTheirCallerAndMissingCallersBreakNothing) {
  graph(1, 5,
        {{1, 0, 1, false, 1, 100, 0, 0, {}},
         {2, 1, 2, false, 1, UINT64_MAX, 0, 0, {}},
         {3, 900, 2, false, 1, 1, 0, 0, {}},
         {4, 0, 0, false, 0, 0, 0, 0, {{7, 1, 24}}}});
  const Profile profile = finish();
  EXPECT_EQ(profile.call_nodes.size(), 3u);
  EXPECT_EQ(profile.call_figures[1].self_ns, 0);
  EXPECT_GT(profile.call_figures[2].self_ns, 0);
  ASSERT_EQ(profile.allocations.size(), 1u);
  EXPECT_EQ(profile.allocations[0].node, 0u);
}

TEST_F(CallGraphsTest, RecursionIsFoldedUpAndEdgesKeepIt) {
  std::vector<log::CallNode> nodes;
  constexpr uint64_t kDepth = 100'000;
  for (uint64_t id = 1; id <= kDepth; ++id)
    nodes.push_back({id, id - 1, 1 + id % 2, false, 1, kDepth + 1 - id, 0, 0, {}});
  graph(1, 5, nodes);
  const Profile profile = finish();
  EXPECT_EQ(depth_of(profile.call_nodes), kDepth);
  const CallWays folded = without_recursion(profile);
  EXPECT_EQ(depth_of(folded.nodes), 2u);
  EXPECT_EQ(depth_of({}), 0u);
  ASSERT_EQ(folded.nodes.size(), 3u);
  EXPECT_EQ(folded.figures[1].calls, kDepth / 2);
  EXPECT_EQ(folded.figures[2].calls, kDepth / 2);
  EXPECT_EQ(folded.figures[1].self_ns + folded.figures[2].self_ns, static_cast<int64_t>(kDepth));
  const auto edges = call_edges(profile);
  ASSERT_EQ(edges.size(), 3u);  // from outside, and one from each to the other
  EXPECT_EQ(edges[0].caller, 0u);
  EXPECT_EQ(edges[0].ns, static_cast<int64_t>(kDepth));
  EXPECT_EQ(edges[1].calls + edges[2].calls, kDepth - 1);
  EXPECT_FALSE(edges[0].recursive || edges[1].recursive);  // the first call of the other is not recursive
  EXPECT_TRUE(edges[2].recursive);
  EXPECT_EQ(edges[2].ns, 0);
}

}  // namespace
}  // namespace oriel::profile
