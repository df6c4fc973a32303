#include "exports/moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "exports/timed_shop.h"
#include "exports/trace_ids.h"

namespace oriel::exports {
namespace {

using ::testing::ElementsAre;
using testing::kMs;
using testing::ProfileBuilder;

// "10-40 GC generation 2", by track.
std::vector<std::vector<std::string>> told(const profile::Profile& profile, MomentKind kind) {
  const Moments moments = moments_of(profile);
  std::vector<std::vector<std::string>> tracks;
  uint32_t last = UINT32_MAX;
  for (const Moment& moment : moments.all) {
    if (moment.kind != kind) continue;
    if (moment.track != last) tracks.emplace_back();
    last = moment.track;
    tracks.back().push_back(std::to_string(moment.begin_ns / kMs) + "-" + std::to_string(moment.end_ns / kMs) + " " +
                            moment_name(moment, profile));
  }
  return tracks;
}

TEST(Moments, OfATrackFollowOrContainEachOther) {
  const ProfileBuilder shop = testing::timed_shop();
  ProfileBuilder copy = shop;
  const profile::Profile& profile = copy.profile();
  EXPECT_THAT(told(profile, MomentKind::kCollection),
              ElementsAre(ElementsAre("10-40 GC generation 2, background", "90-100 GC generation 1"),
                          ElementsAre("20-25 GC generation 0")))
      << "one during a background collection has a track of its own; one without an end lasts until the log ends";
  EXPECT_THAT(told(profile, MomentKind::kRequest),
              ElementsAre(ElementsAre("10-60 GET /cart", "12-18 query"), ElementsAre("30-70 GET /price")))
      << "a part stands below the request";
  EXPECT_THAT(told(profile, MomentKind::kLockWait), ElementsAre(ElementsAre("10-30 Wait for System.Threading.Lock")));
  EXPECT_THAT(told(profile, MomentKind::kException), ElementsAre(ElementsAre("5-5 Shop.Oops", "6-6 Shop.Oops")));
  EXPECT_THAT(told(profile, MomentKind::kMark), ElementsAre(ElementsAre("50-50 half way")));
}

TEST(Moments, APartThatOutlivesItsRequestStandsBesideIt) {
  profile::Profile profile = testing::timed_shop().profile();
  profile.activities[0].end_ns = 61 * kMs;
  profile.activities[0].ns = 49 * kMs;
  EXPECT_THAT(told(profile, MomentKind::kRequest),
              ElementsAre(ElementsAre("10-60 GET /cart"), ElementsAre("12-61 query"), ElementsAre("30-70 GET /price")));
}

TEST(Moments, ATrackIsUsedAgain) {
  profile::Profile profile;
  profile.threads.resize(1);
  for (int64_t i = 0; i < 100; ++i)
    profile.activities.push_back({.end_ns = (i + 2) * kMs,
                                  .ns = 2 * kMs,
                                  .id = {},
                                  .parent = {},
                                  .source = {},
                                  .name = "x",
                                  .failed = false,
                                  .tags = {},
                                  .thread = 0});
  EXPECT_EQ(moments_of(profile).tracks.size(), 2u);
}

TEST(Moments, AreWithinTheLog) {
  profile::Profile profile;
  profile.threads.resize(1);
  profile.functions.resize(1);
  profile.wall_ns = 10 * kMs;
  profile.lock_waits = {{.end_ns = kMs, .ns = 5 * kMs}};
  profile.collections = {{.start_ns = -1, .end_ns = -1}};
  profile.pauses = {{5 * kMs, INT64_MAX, 0}};  // a corrupt log's
  EXPECT_THAT(told(profile, MomentKind::kLockWait), ElementsAre(ElementsAre("0-1 Wait for ")));
  EXPECT_THAT(told(profile, MomentKind::kCollection), ElementsAre(ElementsAre("0-10 GC generation 0")));
  EXPECT_THAT(told(profile, MomentKind::kPause), ElementsAre(ElementsAre(::testing::StartsWith("5-10 "))));
}

TEST(Moments, TagsDoNotTakeThePlaceOfOtherDetails) {
  profile::Profile profile = testing::timed_shop().profile();
  profile.activities[0].tags = {"source=x", "source=y", "alone"};
  const Moments moments = moments_of(profile);
  const auto query = std::ranges::find_if(
      moments.all, [](const Moment& one) { return one.kind == MomentKind::kRequest && one.row == 0; });
  EXPECT_EQ(details_json(moment_details(*query, profile)),
            R"("source":"Shop.Web","failed":false,"id":"b","parent":"a","tags.source":"x","tags.alone":"")");
}

TEST(TraceIds, TellThreadsAndProcessesApart) {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  profile.processes.resize(3);
  profile.processes[0].pid = profile.processes[1].pid = 1;  // each in a container of its own
  for (const uint64_t tid : {1, 7, 7, 0, 1}) builder.thread("T", tid);
  profile.threads[4].process = 1;
  const TraceIds ids = trace_ids(profile);
  std::vector<uint32_t> pids, tids = ids.tid;
  for (const TraceIds::Process& process : ids.processes) pids.push_back(process.pid);
  EXPECT_EQ(pids[0], 1u);
  EXPECT_EQ(tids[1], 7u);
  for (std::vector<uint32_t>* all : {&pids, &tids}) {
    std::ranges::sort(*all);
    EXPECT_EQ(std::ranges::adjacent_find(*all), all->end());
  }
  EXPECT_THAT(ids.main_thread, ElementsAre(0u, 4u, TraceIds::kNone));
}

TEST(TraceIds, SamplesAreInTheOrderOfTime) {
  EXPECT_THAT(samples_by_time(testing::timed_shop().profile()), ElementsAre(0, 2, 3, 4, 5, 1));
}

}  // namespace
}  // namespace oriel::exports
