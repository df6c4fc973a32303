// Calls and allocations of hand-made logs: all figures, and unpaired events.
#include <gmock/gmock.h>

#include "profile/build/builder.h"
#include "profile/shop/tell_calls.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "profile/trees/weight.h"

namespace oriel::profile {
namespace {

using ::testing::AllOf;
using testing::CallTeller;
using ::testing::ElementsAre;
using ::testing::Field;

// "name calls self/total" per method, in nanoseconds.
std::vector<std::string> methods_of(const Profile& profile) {
  std::vector<std::string> lines;
  for (const MethodCalls& m : method_calls(profile))
    lines.push_back(profile.functions[m.function].name + " " + std::to_string(m.calls) + " " +
                    std::to_string(m.self_ns) + "/" + std::to_string(m.total_ns));
  return lines;
}

// "A>B>C" with calls and self time, in the order of the nodes.
std::vector<std::string> nodes_of(const Profile& profile) {
  std::vector<std::string> paths(1);
  std::vector<std::string> lines;
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    const Node& node = profile.call_nodes[i];
    const std::string above = node.parent == 0 ? (node.truncated ? "?>" : "") : paths[node.parent] + ">";
    paths.push_back(above + profile.functions[node.function].name);
    lines.push_back(paths.back() + " " + std::to_string(profile.call_figures[i].calls) + " " +
                    std::to_string(profile.call_figures[i].self_ns));
  }
  return lines;
}

TEST(Calls, GiveTimeToTheMethodOnTop) {
  CallTeller log;
  log.enter(10, 1).enter(15, 2).leave(35, 2).enter(40, 2).leave(50, 2).enter(50, 3).leave(51, 3).leave(60, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 19", "M1>M2 2 30", "M1>M3 1 1"));
  EXPECT_THAT(methods_of(profile), ElementsAre("M2 2 30/30", "M1 1 19/50", "M3 1 1/1"));
  const MethodCalls second = method_calls(profile)[0];
  EXPECT_EQ(second.longest_ns, 20);
  EXPECT_EQ(second.average_ns, 15);
  EXPECT_EQ(second.running, 0u);
}

TEST(Calls, TakeOutWhatProbesTook) {
  CallTeller log;
  log.costs();
  uint64_t at = 0;
  log.enter(at, 1);
  for (int i = 0; i < 100; ++i) {
    if (i < 20) log.timed(70);
    log.enter(at += 25, 2);  // a getter: only probe costs
    if (i < 20) log.timed(70);
    log.leave(at += 25, 2);
    log.enter(at += 25, 3);  // 40 ns, of which 30 are visible besides the clock reading
    if (i < 20) log.timed(110);
    log.leave(at += 55, 3);
  }
  log.leave(at += 25, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(methods_of(profile), ElementsAre("M3 100 4000/4000", "M1 1 0/4000", "M2 100 0/0"));
  const std::vector<MethodCalls> methods = method_calls(profile);
  EXPECT_EQ(methods[0].average_ns, 40);
  EXPECT_EQ(methods[0].longest_ns, 40);
  EXPECT_EQ(methods[0].measured_self_ns, 5500);
  EXPECT_EQ(methods[1].average_ns, 4000);
  EXPECT_EQ(methods[1].longest_ns, 4000);
  EXPECT_EQ(methods[2].average_ns, 0);
  EXPECT_EQ(sum_calls(profile).self_ns, 4000);
  EXPECT_EQ(sum_calls(profile).measured_ns, static_cast<int64_t>(at));
}

TEST(Calls, AllocationsProbesAreTakenOut) {
  CallTeller log;
  log.costs().enter(0, 1).allocate(1, 24).allocate(1, 24).leave(100, 1);
  EXPECT_THAT(methods_of(log.finish()), ElementsAre("M1 1 55/55"));
}

TEST(Calls, WhatLoggingTookIsNobodys) {
  CallTeller log;
  log.enter(0, 1).enter(100, 2).taken(20'000).leave(20'200, 2).enter(20'300, 2).leave(21'300, 2).leave(21'400, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(methods_of(profile), ElementsAre("M2 2 1100/1100", "M1 1 300/1400"));
  EXPECT_EQ(method_calls(profile)[0].longest_ns, 1000);
  EXPECT_EQ(method_calls(profile)[0].average_ns, 550);
  EXPECT_EQ(method_calls(profile)[1].longest_ns, 1400);
  EXPECT_EQ(sum_calls(profile).measured_ns, 21'400);
}

TEST(Calls, WaitsAreToldApart) {
  CallTeller log;
  log.enter(0, 1).enter(100, 2).waited(60'000).leave(100'100, 2).leave(100'200, 1);
  const Profile profile = log.finish();
  const std::vector<MethodCalls> methods = method_calls(profile);
  EXPECT_EQ(methods[0].waited_ns, 60'000);
  EXPECT_EQ(methods[1].waited_ns, 60'000);  // with callees
  EXPECT_EQ(sum_calls(profile).waited_ns, 60'000);
}

TEST(Calls, SegmentsOutOfTheTimeRangeDoNotCount) {
  CallTeller log;
  log.limit(150, 400);
  log.enter(0, 1).taken(50).enter(100, 2).taken(50).leave(200, 2).waited(70).leave(300, 1);
  const Profile profile = log.finish();
  EXPECT_EQ(sum_calls(profile).measured_ns, 150);
  EXPECT_EQ(sum_calls(profile).self_ns, 150);
  EXPECT_EQ(sum_calls(profile).waited_ns, 70);
}

// A long one that began before the range was taken for time with a processor.
TEST(Calls, AWaitCountsWithItsPartInTheTimeRange) {
  CallTeller log;
  log.limit(150, 250);
  log.enter(0, 1).enter(20, 2).waited(360).leave(420, 2).leave(430, 1);
  const std::vector<MethodCalls> methods = method_calls(log.finish());
  EXPECT_EQ(methods[0].total_ns, 100);
  EXPECT_EQ(methods[0].waited_ns, 90);
  EXPECT_EQ(methods[1].waited_ns, 90);
}

TEST(Calls, WhatADamagedLogSaysOfSegmentsMakesNoTime) {
  CallTeller log;
  log.costs().taken(5).enter(0, 1).timed(UINT64_MAX).taken(UINT64_MAX).waited(UINT64_MAX).taken(UINT64_MAX / 2);
  log.taken(1'000'000).leave(100, 1);
  const MethodCalls method = method_calls(log.finish())[0];
  EXPECT_GE(method.self_ns, 0);
  EXPECT_LE(method.total_ns, 200);
  EXPECT_LE(method.waited_ns, method.total_ns);
  EXPECT_LE(method.longest_ns, 200);
}

TEST(Calls, CountRecursionOnceInTotals) {
  CallTeller log;
  log.enter(0, 1).enter(10, 2).enter(20, 1).enter(30, 1).leave(40, 1).leave(50, 1).leave(60, 2).leave(70, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(methods_of(profile), ElementsAre("M1 3 50/70", "M2 1 20/50"));
  EXPECT_TRUE(method_calls(profile)[0].recursive);
  EXPECT_EQ(method_calls(profile)[0].average_ns, 70);  // one outermost call of three
  EXPECT_EQ(method_calls(profile)[0].outermost, 1u);
  EXPECT_FALSE(method_calls(profile)[1].recursive);
  EXPECT_EQ(method_calls(profile)[0].longest_ns, 70);
}

// The method that the compiler makes in place of an async one creates and starts a state machine, whose MoveNext is
// resumed later.
TEST(Calls, OfAsyncMethodsAreThePiecesAndNoRecursion) {
  CallTeller log;
  log.name_method(2, "Load()").name_method(3, "Load()", "<Load>d__1.MoveNext()");
  log.enter(0, 1).enter(10, 2).enter(12, 3).enter(20, 4).leave(30, 4).leave(40, 3).leave(45, 2).leave(50, 1);
  log.enter(60, 3).enter(70, 4).leave(75, 4).leave_by_exception(90, 3);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile),
              ElementsAre("M1 1 15", "M1>Load() 1 25", "M1>Load()>M4 1 10", "Load() 1 25", "Load()>M4 1 5"));
  const MethodCalls load = method_calls(profile)[0];
  EXPECT_EQ(load.calls, 2u);
  EXPECT_EQ(load.outermost, 2u);
  EXPECT_FALSE(load.recursive);
  EXPECT_EQ(load.total_ns, 65);
  EXPECT_EQ(load.longest_ns, 35);
  EXPECT_EQ(load.by_exception, 1u);
  EXPECT_EQ(profile.functions[load.function].raw_name, "<Load>d__1.MoveNext()");
}

TEST(Calls, OfIteratorsAreThePieces) {
  CallTeller log;
  log.name_method(2, "All()").name_method(3, "All()", "<All>d__1.MoveNext()");
  log.enter(0, 1).enter(10, 2).leave(15, 2).enter(20, 3).leave(30, 3).enter(30, 3).leave(31, 3).leave(50, 1);
  const MethodCalls all = method_calls(log.finish())[1];
  EXPECT_EQ(all.calls, 2u);
  EXPECT_FALSE(all.recursive);
  EXPECT_EQ(all.total_ns, 16);
}

// Methods without a state machine do not change, whatever their name.
TEST(Calls, OfAnEnumeratorThatAPersonWroteAreCalls) {
  CallTeller log;
  log.name_method(2, "Shelf.MoveNext()").enter(0, 2).enter(10, 2).leave(20, 2).leave(30, 2);
  const MethodCalls next = method_calls(log.finish())[0];
  EXPECT_EQ(next.calls, 2u);
  EXPECT_TRUE(next.recursive);
}

TEST(Calls, TellExceptionsAndTailCalls) {
  CallTeller log;
  log.enter(0, 1)
      .enter(1, 2)
      .leave_by_exception(2, 2)
      .enter(3, 2)
      .leave_by_tail_call(4, 2)
      .enter(4, 3)
      .leave(5, 3)
      .leave_by_exception(6, 1);
  const Profile profile = log.finish();
  uint64_t by_exception = 0;
  for (const MethodCalls& method : method_calls(profile)) by_exception += method.by_exception;
  EXPECT_EQ(by_exception, 2u);
  EXPECT_EQ(profile.call_total().without_leave, 0u);
  EXPECT_EQ(profile.call_total().without_enter, 0u);
}

TEST(Calls, KeepThreadsApart) {
  CallTeller log;
  log.enter(0, 1).on(2).enter(1, 1).enter(2, 2).on(1).leave(10, 1).on(2).leave(5, 2).leave(6, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 10", "M1 1 2", "M1>M2 1 3"));
  EXPECT_NE(profile.call_figures[1].thread, profile.call_figures[2].thread);
  EXPECT_THAT(methods_of(profile), ElementsAre("M1 2 12/15", "M2 1 3/3"));
}

TEST(Calls, RunUntilTheLogEnds) {
  CallTeller log;
  log.enter(10, 1).enter(20, 2).on(2).enter(5, 3).leave(100, 3);
  const Profile profile = log.finish();
  EXPECT_THAT(methods_of(profile), ElementsAre("M3 1 95/95", "M2 1 80/80", "M1 1 10/90"));
  EXPECT_EQ(sum_calls(profile).running, 2u);
  EXPECT_EQ(profile.call_total().without_leave, 0u);
}

TEST(Calls, DoNotOutliveTheirThread) {
  CallTeller log;
  log.enter(10, 1).enter(20, 2).end_thread(30, 1).on(2).enter(5, 3).leave(100, 3);
  const Profile profile = log.finish();
  EXPECT_THAT(methods_of(profile), ElementsAre("M3 1 95/95", "M1 1 10/20", "M2 1 10/10"));
  EXPECT_EQ(sum_calls(profile).running, 0u);
  EXPECT_EQ(profile.call_total().without_leave, 2u);
}

TEST(Calls, CountLeavesWithoutEnter) {
  CallTeller log;
  log.leave(1, 7).enter(2, 1).leave(3, 9).leave(5, 1).leave(6, 8).leave(7, 0);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 3"));
  EXPECT_EQ(profile.call_total().without_enter, 4u);
}

TEST(Calls, AnOuterLeaveEndsWhatWasOpenInIt) {
  CallTeller log;
  log.enter(0, 1).enter(1, 2).enter(2, 3).leave(10, 1).enter(11, 4).leave(12, 4);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 1", "M1>M2 1 1", "M1>M2>M3 1 8", "M4 1 1"));
  EXPECT_EQ(profile.call_total().without_leave, 2u);
}

TEST(Calls, AGapMakesTheirCallersUnknown) {
  CallTeller log;
  log.enter(0, 1).enter(1, 2).lost(4, 17).enter(6, 3).leave(8, 3).leave(9, 2);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 1", "M1>M2 1 3", "?>M3 1 2"));
  EXPECT_EQ(profile.call_total().gaps, 1u);
  EXPECT_EQ(profile.call_total().lost_events, 17u);
  EXPECT_EQ(profile.call_total().without_leave, 2u);
  EXPECT_EQ(profile.call_total().without_enter, 1u);
  EXPECT_EQ(sum_calls(profile).running, 0u);
  const Result<Profile> weighed = by_weight(WeightKind::kCallsTime, profile);
  ASSERT_TRUE(weighed) << weighed.message();
  EXPECT_TRUE(call_tree(*weighed).nodes[2].broken);
}

TEST(Calls, GoAMillionDeep) {
  constexpr uint64_t kDepth = 1'000'000;
  CallTeller log;
  for (uint64_t i = 0; i < kDepth; ++i) log.enter(i, 1 + i % 2);
  for (uint64_t i = kDepth; i-- > 0;) log.leave(2 * kDepth - i, 1 + i % 2);
  const Profile profile = log.finish();
  EXPECT_EQ(profile.call_nodes.size(), kDepth + 1);
  EXPECT_EQ(profile.call_total().without_leave, 0u);
  const std::vector<MethodCalls> methods = method_calls(profile);
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].calls, kDepth / 2);
  EXPECT_EQ(methods[0].longest_ns, 2 * static_cast<int64_t>(kDepth));
  const CallTree tree = call_tree(*by_weight(WeightKind::kCallsTime, profile), kDepth);
  EXPECT_GT(tree.nodes.size(), kDepth / 2);
}

TEST(Calls, BackwardTimeCostsNothing) {
  CallTeller log;
  log.enter(50, 1).enter(20, 2).leave(10, 2).leave(60, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 1 10", "M1>M2 1 0"));
}

TEST(Calls, InATimeRangeCountForTheirPartOfIt) {
  CallTeller log;
  log.limit(20, 40);
  log.enter(0, 1).enter(10, 2).allocate(1, 8).leave(30, 2).allocate(1, 8).enter(35, 3).leave(50, 3).enter(60, 2);
  log.leave(70, 2).leave(80, 1);
  const Profile profile = log.finish();
  EXPECT_THAT(nodes_of(profile), ElementsAre("M1 0 5", "M1>M2 0 10", "M1>M3 1 5"));
  EXPECT_EQ(sum_calls(profile).objects, 1u);
  EXPECT_EQ(profile.call_total().enters, 4u);
}

TEST(Calls, AreKeptByThreadAndMethod) {
  CallTeller log;
  log.enter(0, 1).enter(1, 2).allocate(1, 8).leave(3, 2).leave(4, 1).on(2).enter(0, 3).allocate(1, 8).leave(50, 3);
  Filter by_method;
  by_method.method = "M2";
  Profile profile = log.finish();
  const uint64_t os_id = 100 + 2;
  Filter by_thread;
  by_thread.thread = std::to_string(os_id);
  Profile second = profile;
  apply(by_method, profile);
  EXPECT_THAT(methods_of(profile), ElementsAre("M2 1 2/2", "M1 0 0/2"));  // on the call path
  EXPECT_EQ(sum_calls(profile).objects, 1u);
  apply(by_thread, second);
  EXPECT_THAT(methods_of(second), ElementsAre("M3 1 50/50"));
  EXPECT_EQ(sum_calls(second).objects, 1u);
}

TEST(Allocations, AddUpByTypeAndSite) {
  CallTeller log;
  log.allocate(1, 24, 5).allocate(1, 24, 5).allocate(2, 100, 5).allocate(1, 24, 6).allocate(1, 24, 0);
  const Profile profile = log.finish();
  const auto types = allocations_by_type(profile);
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(profile.functions[types[0].type].name, "T2");
  EXPECT_EQ(types[0].bytes, 100u);
  EXPECT_EQ(types[1].objects, 4u);
  EXPECT_EQ(types[1].bytes, 96u);
  const auto sites = allocations_by_site(profile, AttributeTo::kInnermost);
  ASSERT_EQ(sites.size(), 4u);
  EXPECT_EQ(profile.functions[sites[1].site].name, "M5");
  EXPECT_EQ(sites[1].objects, 2u);
  EXPECT_EQ(profile.call_total().allocated, 5u);
}

// A stack of a weighed profile, outermost frame first: "M1;M2;T1".
std::string stack_of(const Profile& profile, uint32_t node) {
  std::string text;
  for (; node != 0; node = profile.nodes[node].parent)
    text = profile.functions[profile.nodes[node].function].name + (text.empty() ? "" : ";") + text;
  return text;
}

TEST(WeightKind, AllocationsStandBelowTheirCallsAndSites) {
  CallTeller log;
  log.enter(0, 1).allocate(1, 10, 1).allocate(1, 10, 0).enter(1, 2).allocate(2, 7, 9).leave(2, 2).leave(3, 1);
  log.allocate(2, 3, 4).allocate(1, 2, 0);
  const Profile profile = log.finish();
  const Result<Profile> bytes = by_weight(WeightKind::kBytes, profile);
  ASSERT_TRUE(bytes) << bytes.message();
  std::vector<std::string> lines;
  for (const Sample& sample : bytes->samples)
    lines.push_back(stack_of(*bytes, sample.node) + " " + std::to_string(sample.periods));
  // The first two differ in the logged site, but have the same stack.
  EXPECT_THAT(lines, ElementsAre("M1;T1 10", "M1;T1 10", "M1;M2;M9;T2 7", "M4;T2 3", "T1 2"));
  EXPECT_EQ(bytes->unit, Unit::kBytes);
  EXPECT_EQ(bytes->total_periods(), 32u);
  EXPECT_EQ(by_weight(WeightKind::kObjects, profile)->total_periods(), 5u);
  const CallTree tree = call_tree(*bytes);
  EXPECT_EQ(tree.nodes[1].total, 27u);
  EXPECT_EQ(tree.nodes[1].count, 3u);  // objects
}

TEST(WeightKind, TimeOfCallsHasTheirCounts) {
  CallTeller log;
  log.enter(0, 1).enter(5, 2).leave(10, 2).enter(20, 2).leave(25, 2).leave(30, 1).on(2).enter(0, 1).leave(10, 1);
  const Result<Profile> time = by_weight(WeightKind::kCallsTime, log.finish());
  ASSERT_TRUE(time) << time.message();
  const CallTree tree = call_tree(*time);
  EXPECT_THAT(tree.nodes[1], AllOf(Field(&CallNode::total, 40u), Field(&CallNode::count, 2u)));
  EXPECT_THAT(tree.nodes[2], AllOf(Field(&CallNode::total, 10u), Field(&CallNode::count, 2u)));
  EXPECT_EQ(time->threads[0].samples, 30u);
}

TEST(WeightKind, WhatTheLogDoesNotHaveIsAnError) {
  const Profile profile = CallTeller().finish();
  EXPECT_EQ(natural_weight(profile), WeightKind::kSamples);
  EXPECT_EQ(by_weight(WeightKind::kSamples, profile).message(),
            "no samples in this log: run the program with oriel run --sample");
  const Profile graph = CallTeller().property("callgraph.calls", "").finish();
  EXPECT_THAT(by_weight(WeightKind::kSamples, graph).message(), ::testing::HasSubstr("it is a call graph"));
  const Profile sampled = CallTeller().property("sampling.mode", "real").finish();
  EXPECT_THAT(by_weight(WeightKind::kSamples, sampled).message(), ::testing::HasSubstr("oriel report FILE says why"));
  EXPECT_THAT(by_weight(WeightKind::kCallsTime, profile).message(), ::testing::HasSubstr("--calls"));
  EXPECT_THAT(by_weight(WeightKind::kObjects, profile).message(), ::testing::HasSubstr("--alloc"));
  EXPECT_EQ(natural_weight(CallTeller().enter(0, 1).finish()), WeightKind::kCallsTime);
  EXPECT_EQ(natural_weight(CallTeller().allocate(1, 1).finish()), WeightKind::kBytes);
}

}  // namespace
}  // namespace oriel::profile
