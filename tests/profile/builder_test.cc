// Every figure of a known log in its profile.
#include "profile/build/builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/shop/shop_log.h"
#include "profile/shop/tell_calls.h"

namespace oriel::profile {
namespace {

TEST(Builder, KnowsProgramAndTime) {
  const Profile profile = testing::shop_profile();
  EXPECT_EQ(profile.wall_ns, 100'000'000);
  EXPECT_EQ(profile.start_unix_us, static_cast<int64_t>(testing::kStartUnixUs));
  EXPECT_EQ(profile.sampling_mode, "process");
  EXPECT_EQ(profile.sampling_hz, 1000u);
  EXPECT_EQ(profile.usage.user_us, 20'000u);
  ASSERT_EQ(profile.code_counts.size(), 1u);
  EXPECT_EQ(profile.code_counts[0].methods_compiled, 2u);
  EXPECT_EQ(profile.code_counts[0].compilations, 3u);
  EXPECT_TRUE(profile.problems.empty());
}

TEST(Builder, GivesSamplesTimesStacksAndThreads) {
  const Profile profile = testing::shop_profile();
  ASSERT_EQ(profile.samples.size(), 26u);
  EXPECT_EQ(profile.total_periods(), testing::kPeriods);
  EXPECT_EQ(profile.unfiltered_periods, testing::kPeriods);
  const Sample& first = profile.samples.front();
  EXPECT_EQ(first.ns, 1'000'000);
  EXPECT_EQ(profile.threads[first.thread].name, "main");
  const Function& leaf = profile.functions[profile.nodes[first.node].function];
  EXPECT_EQ(leaf.name, "memcpy");
  EXPECT_EQ(leaf.module, "libc.so.6");
  EXPECT_FALSE(leaf.managed);
  const Function& caller = profile.functions[profile.nodes[profile.nodes[first.node].parent].function];
  EXPECT_EQ(caller.name, "Shop.Cart.AddAsync(System.String, int)");
  EXPECT_EQ(caller.raw_name, "Shop.Cart+<AddAsync>d__3.MoveNext()");
  EXPECT_EQ(caller.module, "Shop.dll");
  EXPECT_TRUE(caller.managed);
}

TEST(Builder, NamesWhatHasNoName) {
  const Profile profile = testing::shop_profile();
  const Sample& broken = profile.samples[23];
  EXPECT_EQ(profile.functions[profile.nodes[broken.node].function].name, "[libcoreclr.so]");
  EXPECT_TRUE(profile.nodes[broken.node].truncated);
  const Sample& empty = profile.samples[25];
  EXPECT_EQ(profile.functions[profile.nodes[empty.node].function].name, "[stack could not be read]");
}

// Fourteen bytes of a log make a thread, which takes hundreds of bytes in a profile and more on a page.
TEST(Builder, HasNoMoreThreadsThanALogOfItsSizeCanHold) {
  Builder builder;
  builder.expect(48'000);
  for (uint64_t thread = 1; thread <= 20'000; ++thread) builder.on_sample(thread, {0, thread, 1});
  const Profile profile = builder.finish({});
  ASSERT_EQ(profile.threads.size(), 11'001u);
  EXPECT_EQ(profile.threads.back().name, "[threads that are more than a log of its size can hold]");
  EXPECT_EQ(profile.threads.back().samples, 9'000u);
  ASSERT_FALSE(profile.problems.empty());
  EXPECT_NE(profile.problems.back().find("more threads than a log of its size can hold"), std::string::npos);
}

TEST(Builder, KnowsHowOptionsChanged) {
  log::OptionChange change{.clock = {}, .module = {}, .options = "calls=Shop.*", .properties = {{"calls", "Shop.*"}}};
  oriel::testing::CallTeller log;
  log.property("events", "gc").options(0, {}).options(2'000'000, change);
  change.running = false;
  const Profile profile = log.options(3'000'000, change).finish();
  ASSERT_EQ(profile.option_changes.size(), 3u);
  EXPECT_EQ(profile.option_changes[1].ns, 2'000'000);
  EXPECT_EQ(profile.option_changes[1].module, "log");
  EXPECT_EQ(profile.option_changes[1].options, "calls=Shop.*");
  EXPECT_THAT(profile.option_changes[1].properties, ::testing::ElementsAre("calls=Shop.*"));
  EXPECT_FALSE(profile.option_changes[2].running);
}

TEST(Builder, WhatWasSwitchedOnLaterWasRecorded) {
  oriel::testing::CallTeller log;
  log.property("events", "gc").options(0, {});
  log.options(1'000'000, {.clock = {},
                          .module = {},
                          .options = "alloc",
                          .properties = {{"events", "gc+exceptions"}, {"allocations", "exact"}}});
  const Profile profile = log.options(2'000'000, {}).finish();
  EXPECT_TRUE(has_events(profile, "exceptions"));
  EXPECT_FALSE(has_events(profile, "threads"));
  EXPECT_TRUE(has_allocations(profile));
  EXPECT_FALSE(has_calls(profile));
  EXPECT_EQ(why_no_allocations(profile),
            "no allocations in this log: the program was run with --alloc and allocated "
            "nothing");
}

TEST(Builder, KeepsParentsBeforeChildren) {
  const Profile profile = testing::shop_profile();
  for (size_t i = 1; i < profile.nodes.size(); ++i) EXPECT_LT(profile.nodes[i].parent, i);
}

TEST(Builder, KnowsThreads) {
  const Profile profile = testing::shop_profile();
  ASSERT_EQ(profile.threads.size(), 3u);
  EXPECT_EQ(profile.threads[0].samples, 26u);
  EXPECT_EQ(profile.threads[0].os_id, 101u);
  EXPECT_EQ(profile.threads[0].first_ns, 1'000'000);
  EXPECT_EQ(profile.threads[0].last_ns, 71'000'000);
  EXPECT_EQ(profile.threads[1].samples, 3u);
  EXPECT_EQ(profile.threads[1].last_ns, 86'000'000);
  EXPECT_EQ(profile.threads[2].samples, 0u);
  EXPECT_EQ(profile.threads[2].first_ns, -1);
}

TEST(Builder, AThreadThatOnlyStartedWasNotSeenLater) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_event(testing::event_at(5, 7, "thread_started", {7}));
  builder.on_event(testing::event_at(6, 8, "thread_started", {8}));
  builder.on_event(testing::event_at(9, 8, "thread_stopped", {8}));
  const Profile profile = builder.finish({});
  EXPECT_EQ(profile.threads[0].first_ns, 5'000'000);
  EXPECT_EQ(profile.threads[0].last_ns, -1);
  EXPECT_EQ(profile.threads[1].last_ns, 9'000'000);
}

TEST(Builder, ASingleFileProgramsNativeCodeIsTheRuntimes) {
  Builder builder;
  log::Intro intro = testing::shop_intro();
  intro.properties.emplace_back(log::property::kRuntimeIn, "/srv/shop/Shop");
  builder.on_intro(intro);
  builder.on_library({1, "/srv/shop/Shop"});
  builder.on_library({2, "/usr/lib/libssl.so.3"});
  builder.on_native({1, 1, ""});
  builder.on_native({2, 2, ""});
  builder.on_stack_node({1, 0, log::FrameKind::kNative, 1, false});
  builder.on_stack_node({2, 1, log::FrameKind::kNative, 2, false});
  const Profile profile = builder.finish({});
  EXPECT_EQ(profile.functions[profile.nodes[1].function].name, "[runtime in Shop]");
  EXPECT_EQ(profile.functions[profile.nodes[2].function].name, "[libssl.so.3]");
}

TEST(Builder, WhoRunsManagedCodeCompilesNoMore) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_class({1, 0, 0, "Shop"});
  builder.on_method({1, 1, "Main()", ""});
  builder.on_library({1, "/usr/lib/libclrjit.so"});
  builder.on_native({1, 1, ""});
  builder.on_stack_node({1, 0, log::FrameKind::kManaged, 1, false});
  builder.on_stack_node({2, 1, log::FrameKind::kNative, 1, false});
  builder.on_sample(1, {2'000'000'000, 2, 1});
  builder.on_sample(1, {3'000'000'000, 1, 1});
  builder.on_compiling(1, {2'000'000'000, 1, false, 1});
  builder.on_compiling(1, {3'000'000'000, 1, false, 1});  // failed by then
  EXPECT_EQ(builder.finish({}).compiling.size(), 1u);
}

// Whichever samples of the thread came before those of a block.
TEST(Builder, KnowsTheSamplesOfABlockThatItsCompilationsAreAbout) {
  for (const size_t before : {0, 60'000, 65'530, 131'060}) {
    Builder builder;
    builder.on_intro(testing::shop_intro());
    builder.on_class({1, 0, 0, "Shop"});
    builder.on_method({1, 1, "Main()", ""});
    builder.on_stack_node({1, 0, log::FrameKind::kManaged, 1, false});
    uint64_t counter = 2'000'000'000;
    for (size_t i = 0; i < before; ++i) builder.on_sample(1, {++counter, 1, 1});
    const uint64_t first = ++counter;
    for (size_t i = 0; i < 20; ++i) builder.on_sample(1, {counter++, 1, 1});
    builder.on_compiling(1, {first, 1, false, 1});  // failed by then
    EXPECT_EQ(builder.finish({}).compiling.size(), 0u) << before;
  }
}

TEST(Builder, GivesEachPauseToItsCollection) {
  const Profile profile = testing::shop_profile();
  ASSERT_EQ(profile.collections.size(), 3u);
  const Collection& first = profile.collections[0];
  EXPECT_EQ(first.number, 1u);
  EXPECT_EQ(first.start_ns, 41'000'000);
  EXPECT_EQ(first.end_ns, 43'000'000);
  EXPECT_EQ(first.pause_ns, 4'000'000);
  EXPECT_FALSE(first.induced);
  const Collection& concurrent = profile.collections[1];
  EXPECT_EQ(concurrent.generation, 2u);
  EXPECT_TRUE(concurrent.induced);
  EXPECT_EQ(concurrent.pause_ns, 2'000'000);
  EXPECT_EQ(concurrent.end_ns, 60'000'000);
  EXPECT_EQ(profile.collections[2].number, 3u);
  EXPECT_EQ(profile.collections[2].pause_ns, 4'000'000);
  EXPECT_EQ(profile.pauses.size(), 4u);
}

TEST(Builder, CountsExceptionsByClassAndCatcher) {
  const Profile profile = testing::shop_profile();
  ASSERT_EQ(profile.exceptions.size(), 3u);
  EXPECT_EQ(profile.exceptions[0].type, "System.InvalidOperationException");
  EXPECT_EQ(profile.exceptions[0].thrown, 3u);
  EXPECT_EQ(profile.exceptions[0].caught, 2u);
  EXPECT_EQ(profile.exceptions[1].type, "System.IO.FileNotFoundException");
  EXPECT_EQ(profile.exceptions[1].caught, 0u);
  EXPECT_EQ(profile.exceptions[2].type, "[class 99, not in the log]");
  ASSERT_EQ(profile.caught_in.size(), 2u);
  EXPECT_EQ(profile.caught_in[0].type, "System.InvalidOperationException");
  EXPECT_EQ(profile.caught_in[0].method, "Shop.Cart.AddAsync(System.String, int)");
  EXPECT_EQ(profile.caught_in[0].caught, 2u);
  EXPECT_EQ(profile.caught_in[1].method, "[method 77, not in the log]");
  EXPECT_EQ(profile.caught_in[1].caught, 1u);
}

TEST(Builder, KeepsWhenEachExceptionWasThrown) {
  const Profile profile = testing::shop_profile();
  uint64_t thrown = 0;
  for (const ExceptionType& type : profile.exceptions) thrown += type.thrown;
  ASSERT_EQ(profile.throws.size(), thrown);
  EXPECT_TRUE(std::ranges::is_sorted(profile.throws, {}, &Throw::ns));
  std::map<std::string, uint64_t> by_type;
  for (const Throw& one : profile.throws) ++by_type[profile.functions[one.type].name];
  for (const ExceptionType& type : profile.exceptions) EXPECT_EQ(by_type[type.type], type.thrown) << type.type;
}

TEST(Builder, CollectionWithoutEndHasNone) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_event(testing::event_at(5, 1, "gc_begin", {1, 1, 0}));
  const Profile profile = builder.finish({});
  ASSERT_EQ(profile.collections.size(), 1u);
  EXPECT_EQ(profile.collections[0].end_ns, -1);
}

TEST(Builder, OneFunctionForAllIdsOfAName) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_class({1, 0, 0, "A"});
  builder.on_method({1, 1, "B()", ""});
  builder.on_method({2, 1, "B()", "A+<B>d__0.MoveNext()"});
  builder.on_stack_node({1, 0, log::FrameKind::kManaged, 1, false});
  builder.on_stack_node({2, 1, log::FrameKind::kManaged, 2, false});
  const Profile profile = builder.finish({});
  EXPECT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.nodes[1].function, profile.nodes[2].function);
}

}  // namespace
}  // namespace oriel::profile
