// What reports say of a part of a log: which of the filter applies, and that nothing is in the part.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "log/properties.h"
#include "profile/shop/shop_log.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMs = 1'000'000;

// The shop's log of 100 ms, with a request, a wait for a lock and a call of an async method, all in the first 40 ms.
Profile whole_log() {
  Profile profile = testing::shop_profile();
  profile.intro.properties.emplace_back(log::property::kActivities, "*");
  profile.intro.properties.emplace_back(log::property::kLocks, "seen");
  profile::Activity& activity = profile.activities.emplace_back();
  activity.end_ns = 30 * kMs;
  activity.ns = 5 * kMs;
  activity.name = "GET /orders";
  profile.lock_waits = {{.end_ns = 30 * kMs, .ns = 5 * kMs, .type = 1, .node = 1}};
  profile.async_calls = {{.start_ns = 10 * kMs, .end_ns = 40 * kMs, .function = 1}};
  profile.async_waits = {{.start_ns = 11 * kMs, .end_ns = 39 * kMs, .call = 0, .node = 1}};
  return profile;
}

profile::Filter times(int64_t from_ns, int64_t to_ns = INT64_MAX) {
  profile::Filter filter;
  filter.from_ns = from_ns;
  filter.to_ns = to_ns;
  return filter;
}

profile::Filter main_thread(int64_t from_ns = 0) {
  profile::Filter filter = times(from_ns);
  filter.thread = "main";
  return filter;
}

// In one line, as people read it.
std::string text_with(const char* report, const profile::Filter& filter, Profile profile = whole_log()) {
  profile::apply(filter, profile);
  std::string text = text_of(report, profile);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

TEST(Filtered, NothingInAPartIsNotNothingInTheLog) {
  const profile::Filter late = times(99 * kMs);
  EXPECT_THAT(text_with("gc", late), HasSubstr("No collections in this part of the log."));
  EXPECT_THAT(text_with("summary", late), HasSubstr("no collections in this part of the log"));
  EXPECT_THAT(text_with("requests", late), HasSubstr("No activities in this part of the log."));
  EXPECT_THAT(text_with("locks", late), HasSubstr("No waits for locks in this part of the log."));
  const std::string async = text_with("async", late);
  EXPECT_THAT(async, HasSubstr("No async method had to wait in this part of the log."));
  EXPECT_THAT(async, HasSubstr("No calls of async methods in this part of the log."));
  EXPECT_THAT(async, Not(HasSubstr("of which")));
  for (const char* report : {"gc", "requests", "locks", "async"})
    EXPECT_THAT(text_with(report, times(kMs, 98 * kMs)), Not(HasSubstr("part of the log"))) << report;
}

TEST(Filtered, WhatOfAFilterDoesNotApplyIsSaid) {
  const std::string requests = text_with("requests", main_thread());
  EXPECT_THAT(requests, HasSubstr("Covers the whole log. The filter for threads does not apply here."));
  EXPECT_THAT(requests, HasSubstr("GET /orders"));
  EXPECT_THAT(requests, Not(HasSubstr("Only")));
  const profile::Filter both = main_thread(kMs);
  for (const char* report : {"requests", "gc", "async", "counters"})
    EXPECT_THAT(text_with(report, both), HasSubstr("Only from 0.001 s. The filter for threads does not apply here."))
        << report;
  EXPECT_THAT(text_with("locks", both), HasSubstr("Only thread \"main\", from 0.001 s"));
  EXPECT_THAT(text_with("exceptions", both),
              HasSubstr("Covers the whole log. The filter for threads and times does not apply here."));
  EXPECT_THAT(text_with("summary", both), HasSubstr(" thrown in the whole log:"));
  EXPECT_THAT(text_with("summary", {}), Not(HasSubstr("in the whole log")));
}

TEST(Filtered, ACallGraphKnowsNoTimes) {
  Profile graph = whole_log();
  graph.intro.properties.emplace_back(log::property::kCallgraphCalls, "*");
  const std::string text = text_with("callgraph", times(0, kMs), graph);
  EXPECT_THAT(text, HasSubstr("Covers the whole log. The filter for times does not apply here."));
  EXPECT_THAT(text, Not(HasSubstr("Only until")));
}

TEST(Filtered, TheFirstContentionIsTheLogs) {
  EXPECT_THAT(text_with("locks", {}), HasSubstr("Recorded from the first contention, at 0.025 s;"));
  EXPECT_THAT(text_with("locks", times(kMs)), HasSubstr("Recorded from the first contention of the log on;"));
}

}  // namespace
}  // namespace oriel::report
