// Undefined ids, impossible ids, records out of order: loading still gives a profile.
#include <gtest/gtest.h>

#include "oriel/oriel.h"
#include "profile/build/builder.h"
#include "profile/shop/shop_log.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "profile/trees/weight.h"

namespace oriel::profile {
namespace {

constexpr uint64_t kHuge = UINT64_MAX - 1;

std::string leaf_name(const Profile& profile, size_t sample) {
  return profile.functions[profile.nodes[profile.samples[sample].node].function].name;
}

TEST(Untrusted, UnknownIdsGetNames) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_stack_node({1, 0, log::FrameKind::kManaged, 123, false});
  builder.on_stack_node({2, 1, log::FrameKind::kNative, kHuge, false});
  builder.on_method({5, 66, "F()", ""});
  builder.on_stack_node({3, 2, log::FrameKind::kManaged, 5, false});
  builder.on_sample(9, {testing::kStart, 1, 1});
  builder.on_sample(9, {testing::kStart, 2, 1});
  builder.on_sample(9, {testing::kStart, 3, 1});
  builder.on_sample(9, {testing::kStart, 4444, 1});
  const Profile profile = builder.finish({});
  EXPECT_EQ(leaf_name(profile, 0), "[method 123, not in the log]");
  EXPECT_EQ(leaf_name(profile, 1), "[native function 18446744073709551614, not in the log]");
  EXPECT_EQ(leaf_name(profile, 2), "[class 66, not in the log].F()");
  EXPECT_EQ(leaf_name(profile, 3), "[stack not in the log]");
  EXPECT_EQ(profile.threads.at(0).id, 9u);
}

TEST(Untrusted, NodesWithGapsHugeIdsAndMissingParents) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_method({1, 0, "A", ""});
  builder.on_method({2, 0, "B", ""});
  builder.on_stack_node({10, 0, log::FrameKind::kManaged, 1, false});
  builder.on_stack_node({kHuge, 10, log::FrameKind::kManaged, 2, false});
  builder.on_stack_node({12, 11, log::FrameKind::kManaged, 2, false});  // 11 was lost
  builder.on_sample(1, {testing::kStart, kHuge, 1});
  builder.on_sample(1, {testing::kStart, 12, 1});
  const Profile profile = builder.finish({});
  EXPECT_EQ(leaf_name(profile, 0), "B");
  EXPECT_EQ(profile.functions[profile.nodes[profile.nodes[profile.samples[0].node].parent].function].name, "A");
  EXPECT_EQ(leaf_name(profile, 1), "B");
  EXPECT_TRUE(profile.nodes[profile.samples[1].node].truncated);
  EXPECT_EQ(function_totals(profile).size(), 2u);
}

TEST(Untrusted, HugeCountersDoNotOverflow) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_clock({kHuge, kHuge});
  builder.on_sample(1, {kHuge, 0, kHuge});
  builder.on_sample(1, {0, 0, 1});
  const Profile profile = builder.finish({});
  EXPECT_GE(profile.samples[0].ns, 0);
  EXPECT_EQ(profile.samples[1].ns, 0);
  EXPECT_GE(profile.wall_ns, profile.samples[0].ns);
}

TEST(Untrusted, CallsOfAnyKindAddUpToSomething) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_clock({kHuge, kHuge});
  uint64_t random = 1;
  const uint64_t counters[] = {0, kHuge, testing::kStart, 1, kHuge - 1};
  const uint64_t ids[] = {0, 1, 2, 3, kHuge};
  for (int i = 0; i < 20'000; ++i) {
    random = random * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    log::Event event;
    const uint32_t numbers[] = {oriel_event_method_enter, oriel_event_method_leave, oriel_event_gc_allocation,
                                oriel_event_method_tail_call,
                                random >> 60 == 0 ? +log::Event::kCallsLost : +oriel_event_method_exception_leave};
    event.number = numbers[(random >> 33) % 5];
    event.thread = (random >> 36) % 20;
    event.counter = counters[(random >> 40) % 5];
    event.values[0] = ids[(random >> 43) % 5];
    event.values[1] = ids[(random >> 46) % 5];
    event.values[3] = ids[(random >> 49) % 5];
    event.value_count = 4;
    builder.on_event(event);
  }
  const Profile profile = builder.finish({});
  int64_t self = 0;
  for (const MethodCalls& method : method_calls(profile)) {
    EXPECT_GE(method.self_ns, 0);
    EXPECT_GE(method.total_ns, 0);
    EXPECT_GE(method.longest_ns, method.average_ns);
    EXPECT_LE(method.by_exception, method.calls);
    self += method.self_ns;
  }
  EXPECT_EQ(self, sum_calls(profile).self_ns);
  for (const WeightKind weight : {WeightKind::kCallsTime, WeightKind::kBytes, WeightKind::kObjects})
    EXPECT_GT(call_tree(*by_weight(weight, profile)).nodes.size(), 1u);
}

TEST(Untrusted, ProblemsAreListedAndNotWithoutEnd) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  for (int i = 0; i < 500; ++i) builder.on_problem(7, "noise");
  const Profile profile = builder.finish({});
  EXPECT_EQ(profile.problems.size(), 101u);
  EXPECT_EQ(profile.problems.front(), "at byte 7: noise");
  EXPECT_EQ(profile.problems.back(), "and 400 more problems");
}

TEST(Untrusted, VeryDeepStackIsWalkedWithoutRecursion) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  constexpr uint64_t kDepth = 300'000;
  for (uint64_t id = 1; id <= kDepth; ++id)
    builder.on_stack_node({id, id - 1, log::FrameKind::kManaged, id % 3 + 1, false});
  builder.on_sample(1, {testing::kStart, kDepth, 1});
  const Profile profile = builder.finish({});
  for (const FunctionTotals& entry : function_totals(profile)) EXPECT_EQ(entry.total, 1u);
  EXPECT_EQ(call_tree(profile).nodes.size(), kDepth + 1);
}

}  // namespace
}  // namespace oriel::profile
