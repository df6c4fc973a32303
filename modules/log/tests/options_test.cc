#include "options.h"

#include <gtest/gtest.h>

#include "log/event.h"

namespace oriel::log_module {
namespace {

TEST(Options, DefaultsSampleCpuTimeAndListenToTheUsualEvents) {
  const auto options = parse_options("");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->sample_mode, ORIEL_SAMPLE_PROCESS_AND_WAITS);
  EXPECT_EQ(options->hz, 250u);
  EXPECT_TRUE(options->events[oriel_event_gc_begin]);
  EXPECT_TRUE(options->events[oriel_event_exception_throw]);
  EXPECT_FALSE(options->events[oriel_event_jit_done]);
  EXPECT_EQ(options->out, "%n-%p.oriel");
}

TEST(Options, OutTakesTheRest) {
  const auto options = parse_options("sample=real,hz=1000,events=none,out=/tmp/a,b=%p%%.log");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->sample_mode, ORIEL_SAMPLE_REAL);
  EXPECT_EQ(options->hz, 1000u);
  EXPECT_TRUE(options->events.none());
  EXPECT_EQ(options->out, "/tmp/a,b=%p%%.log");
}

TEST(Options, GroupsOfEventsHaveTheirNamesBack) {
  for (const char* groups : {"none", "gc", "runtime+loads+threads+gc+exceptions"})
    EXPECT_EQ(event_groups(parse_options(std::string("alloc,events=") + groups)->events), groups);
  EXPECT_EQ(event_groups(parse_options("")->events), "runtime+loads+threads+gc+exceptions+messages");
  EXPECT_EQ(event_groups(parse_options("no-messages")->events), "runtime+loads+threads+gc+exceptions");
}

TEST(Options, AFileHasLimits) {
  const auto options = parse_options("rotate=100MB/1h,keep=10");
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->rotation.bytes, 100'000'000u);
  EXPECT_EQ(options->rotation.time, std::chrono::hours(1));
  EXPECT_EQ(options->text, "rotate=100MB/1h,keep=10");
  EXPECT_EQ(parse_options("rotate=2min")->rotation.bytes, 0u);
  EXPECT_EQ(parse_options("rotate=2min")->rotation.time, std::chrono::minutes(2));
  EXPECT_FALSE(parse_options("")->rotation.any());
  const std::string limits = "a limit is a size from 64KB on (KB, MB, GB), a time (s, min, h, d), or both: 100MB/1h";
  for (const char* text : {"1KB", "MB", "100", "1h/2h", "100mb", "0s", "99999999999999999999GB", "-1MB", "1MB/x"})
    EXPECT_EQ(parse_options("rotate=" + std::string(text)).message(),
              "log: rotate=" + std::string(text) + ": " + limits);
  EXPECT_EQ(parse_options("rotate").message(), "log: rotate=: a size or a time is missing: 100MB, 1h");
  EXPECT_EQ(parse_options("keep=2").message(),
            "log: keep applies to a log of several files; give rotate or recorder too");
  EXPECT_EQ(parse_options("rotate=1h,keep=0").message(),
            "log: keep=0: files to keep, with the current one, are a whole number, from 1 to 100000");
}

TEST(Options, ABudgetGoesWithWhatCanBeTakenMoreSeldom) {
  const auto options = parse_options("budget=1%,alloc=sampled,counters");
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->budget_limit, 10'000u);
  EXPECT_TRUE(options->events[oriel_event_sampling_paced]);
  EXPECT_TRUE(parse_options("budget=1%,events=none")->events[oriel_event_sampling_paced]);
  EXPECT_EQ(parse_options("budget=0.5")->budget_limit, 5'000u);
  for (const char* text : {"0%", "51%", "1%%", "x", "", "-1%", "1 %", "nan%"})
    EXPECT_EQ(
        parse_options("budget=" + std::string(text)).message(),
        "log: budget=" + std::string(text) + ": a budget is a share of the program's CPU time, from 0.1% to 50%: 1%");
  EXPECT_EQ(parse_options("budget=1%,calls=Shop.*").message(),
            "log: budget cannot limit calls, which counts each one, whatever that takes; leave one of them out");
  EXPECT_EQ(parse_options("budget=1%,alloc").message(),
            "log: budget cannot limit alloc, which counts each one, whatever that takes; leave one of them out, or "
            "sample: alloc=sampled");
  EXPECT_FALSE(parse_options("budget=1%,async"));
  EXPECT_FALSE(parse_options("budget=1%,alloc-in=Shop.*"));
}

TEST(Options, GroupsOfEventsAdd) {
  const auto options = parse_options("events=jit+unwind");
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->events[oriel_event_jit_done]);
  EXPECT_TRUE(options->events[oriel_event_exception_unwind]);
  EXPECT_FALSE(options->events[oriel_event_gc_begin]);
}

TEST(Options, AllIsEveryEventButThoseWithArgumentsOfTheirOwn) {
  const auto options = parse_options("events=all");
  ASSERT_TRUE(options);
  for (const log::EventDescription& event : log::all_events()) {
    const std::string_view group = event.group;
    const bool has_own = group == "samples" || group == "calls" || group == "allocations" || group == "async" ||
                         group == "counters" || group == "activities" || group == "full";
    const bool dear = group == "moves" || group == "roots" || group == "handles" || group == "queued";
    EXPECT_EQ(options->events[event.number], !has_own && !dear) << event.name;
  }
}

TEST(Options, CallsAndAllocationsBringTheirEvents) {
  const auto none = parse_options("");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->calls || none->allocations || none->events[oriel_event_method_enter]);
  const auto options = parse_options("calls=A.*|!B,alloc,inlining=block,events=none,out=x");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->calls->text(), "A.*|!B");
  EXPECT_EQ(options->allocations->text(), "*");
  EXPECT_TRUE(options->block_inlining);
  for (uint32_t event = oriel_event_method_enter; event <= oriel_event_gc_allocation; ++event) {
    EXPECT_TRUE(options->events[event]) << event;
  }
  EXPECT_EQ(options->events.count(), 5u);
  const auto chosen = parse_options("calls,alloc-in=[Shop],alloc=exact");
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->calls->text(), "");
  EXPECT_EQ(chosen->allocations->text(), "[Shop]");
}

TEST(Options, SampledAllocationsNeedNoFilter) {
  const auto options = parse_options("alloc=sampled,events=none,out=x");
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->allocations_sampled);
  EXPECT_FALSE(options->allocations);
  EXPECT_TRUE(options->events[oriel_event_gc_allocation_followed]);
  EXPECT_TRUE(options->events[oriel_event_gc_followed_gone]);
  EXPECT_EQ(options->events.count(), 3u);
  EXPECT_FALSE(options->allocations_when_grown);
  EXPECT_FALSE(parse_options("events=gc,out=x")->allocations_when_grown);
  EXPECT_FALSE(parse_options("alloc,out=x")->allocations_when_grown);
  EXPECT_TRUE(parse_options("out=x")->allocations_when_grown);
}

TEST(Options, TypesAreFollowedInsteadOfSamples) {
  const auto options = parse_options("alloc-follow=Shop.Order|Session,out=x");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->allocations_followed, "Shop.Order,Session");
  EXPECT_TRUE(options->events[oriel_event_gc_followed_gone]);
  EXPECT_FALSE(options->events[oriel_event_gc_allocation_followed]) << "those are the runtime's samples";
  EXPECT_FALSE(options->allocations_when_grown);
  EXPECT_FALSE(parse_options("alloc-follow=Order,alloc=sampled"));
  EXPECT_FALSE(parse_options("alloc-follow=Order,budget=1%"));
}

TEST(Options, StacksGoWithAllocations) {
  EXPECT_TRUE(parse_options("alloc-stacks,alloc,out=x")->allocation_stacks);
  EXPECT_TRUE(parse_options("alloc=sampled,alloc-stacks,out=x")->allocation_stacks);
  EXPECT_FALSE(parse_options("alloc,out=x")->allocation_stacks);
  EXPECT_EQ(parse_options("alloc-stacks,calls").message(),
            "log: alloc-stacks applies to logged objects; give alloc or alloc-in too");
  EXPECT_EQ(parse_options("alloc,alloc-stacks=2").message(), "log: alloc-stacks takes no value; leave out =2");
}

TEST(Options, SampleCpuTimeAloneWhereWaitsAreNotWanted) {
  EXPECT_EQ(parse_options("sample=cpu")->sample_mode, ORIEL_SAMPLE_PROCESS);
}

TEST(Options, LocksAreAwaitedWhereWaitsAreSampledAndNothingElseIsSaid) {
  EXPECT_TRUE(parse_options("")->locks_when_seen);
  EXPECT_TRUE(parse_options("sample=real")->locks_when_seen);
  EXPECT_FALSE(parse_options("")->events[oriel_event_monitor_acquired]);
  EXPECT_FALSE(parse_options("sample=cpu")->locks_when_seen);
  EXPECT_FALSE(parse_options("events=gc")->locks_when_seen);
  EXPECT_FALSE(parse_options("locks")->locks_when_seen);
  EXPECT_TRUE(parse_options("locks,sample=cpu")->events[oriel_event_monitor_acquired]);
}

TEST(Options, WhatIsToldByNameIsAskedForByNames) {
  const auto options = parse_options("counters=Shop.*|Other,activities=Shop.Web|*,out=x");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->meters, "Shop.*,Other");
  EXPECT_EQ(options->activities, "Shop.Web,*");
  EXPECT_EQ(parse_options("activities")->activities, "*");
}

TEST(Options, EachMistakeNamesItselfAndWhatIsKnown) {
  EXPECT_EQ(parse_options("sample=often").message(), "log: sample=often is unknown; use process, cpu, real or none");
  EXPECT_EQ(parse_options("hz=0").message(),
            "log: hz=0: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_EQ(parse_options("hz=12x").message(),
            "log: hz=12x: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_NE(parse_options("events=gc+tea").message().find("'tea'"), std::string::npos);
  EXPECT_NE(parse_options("speed=1").message().find("'speed'"), std::string::npos);
  EXPECT_EQ(parse_options("calls=A|[B").message(),
            "log: calls: the pattern '[B' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  EXPECT_EQ(parse_options("alloc=some").message(), "log: alloc=some is unknown; use exact or sampled");
  EXPECT_EQ(parse_options("alloc=sampled,alloc-in=Shop").message(),
            "log: alloc=sampled covers the allocations of all code; leave it out, or alloc-in");
  EXPECT_EQ(parse_options("alloc,alloc=sampled").message(),
            "log: alloc and log: alloc=sampled cannot be combined; leave one out");
  EXPECT_EQ(parse_options("inlining=no").message(), "log: inlining=no is unknown; use keep or block");
  EXPECT_EQ(parse_options("activities=Shop.Web|Shop.*").message(),
            "log: activities=Shop.*: the runtime matches sources by their full names; give these, or none for all");
  EXPECT_EQ(parse_options("out=").message(), "log: out= names no file");
}

}  // namespace
}  // namespace oriel::log_module
