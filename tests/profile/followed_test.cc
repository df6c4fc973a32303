// Tracked objects that are live when the log ends, and the totals of those that stay.
#include "profile/build/memory/followed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/memory/staying.h"
#include "profile/merge.h"
#include "profile/shop/tell_calls.h"
#include "profile/trees/weight.h"

namespace oriel::profile {
namespace {

using testing::CallTeller;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "type bytes stay_bytes objects samples full", by bytes, descending.
std::vector<std::string> lines_of(const Profile& profile) {
  std::vector<std::string> lines;
  for (const Staying& one : staying(profile))
    lines.push_back(profile.functions[one.type].name + " " + std::to_string(one.bytes) + " " +
                    std::to_string(one.stay_bytes) + " " + std::to_string(one.objects) + " " +
                    std::to_string(one.samples) + " " + std::to_string(one.full));
  return lines;
}

TEST(Followed, AreThoseThatNoCollectionTook) {
  CallTeller log;
  log.follow(10, 1, 100, 100'000, 1).follow(20, 2, 100, 100'000, 2).gone(38, 1).collect(30, 40, 1, 2);
  log.follow(50, 1, 50, 100'000, 3).collect(60, 70, 2, 2).follow(80, 3, 50, 100'000, 4).collect(90, 95, 3, 1);
  const Profile profile = log.finish();
  EXPECT_EQ(profile.followed.size(), 3u);
  EXPECT_EQ(sum_of_following(profile.following).samples, 4u);
  EXPECT_EQ(sum_of_following(profile.following).bytes, 400'000u);
  EXPECT_EQ(sum_of_following(profile.following).from_ns, 10);
  EXPECT_THAT(lines_of(profile), ElementsAre("T1 100000 0 2000 1 1", "T2 100000 100000 1000 1 2"))
      << "of T3 no full collection has told";
  EXPECT_EQ(profile.call_total().allocation_samples, 4u) << "they are allocations as well";
}

TEST(Followed, MayBeToldAfterTheirEnd) {
  CallTeller log;
  log.on(2).gone(38, 1).on(1).follow(10, 1, 100, 100'000, 1).follow(20, 1, 100, 100'000, 2);
  log.collect(30, 40, 1, 2);
  EXPECT_THAT(lines_of(log.finish()), ElementsAre("T1 100000 0 1000 1 1"));
}

TEST(Followed, StandForMoreWhereAPartIs) {
  CallTeller log;
  for (uint64_t number = 1; number <= 8; ++number) log.follow(number, 1, 100, 1'000, number);
  log.follow_part(9, 4).collect(10, 20, 1, 2).follow(25, 1, 100, 1'000, 0).collect(30, 40, 2, 2);
  const Profile profile = log.finish();
  EXPECT_THAT(lines_of(profile), ElementsAre("T1 8000 8000 80 2 2"));
  EXPECT_EQ(sum_of_following(profile.following).samples, 8u) << "the last was not followed";
}

TEST(Followed, OfALargeObjectIsEachFollowedWhereAPartIs) {
  CallTeller log;
  log.follow(1, 1, 500'000, 500'000, 1).follow(2, 1, 300'000, 300'000, 3).follow(3, 2, 100, 1'000, 4);
  log.follow_part(9, 4).collect(10, 20, 1, 2);
  EXPECT_THAT(lines_of(log.finish()), ElementsAre("T1 500000 0 1 1 1", "T2 4000 0 40 1 1"));
}

TEST(Followed, OfACollectionThatHadBegunOrDidNotEndAreNotOld) {
  CallTeller log;
  log.collect(5, 6, 1, 2).follow(10, 1, 100, 1'000, 1).collect(15, 20, 2, 2);
  log.follow(30, 2, 100, 1'000, 2);
  EXPECT_THAT(lines_of(log.finish()), ElementsAre("T1 1000 0 10 1 1"));
}

TEST(Followed, TellWhenTheyWereAllocated) {
  CallTeller log;
  log.follow(0, 1, 100, 1'000, 1).follow(79, 1, 100, 1'000, 2).follow(79, 1, 100, 1'000, 3).collect(80, 159, 1, 2);
  Profile profile = log.finish();
  profile.wall_ns = sum_of_following(profile.following).from_ns + 159;
  const std::vector<Staying> all = staying(profile);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].when, ElementsAre(1'000, 0, 0, 2'000, 0, 0, 0, 0));
}

TEST(Followed, AreFilteredAndMerged) {
  CallTeller log;
  log.follow(10, 1, 100, 1'000, 1).on(2).follow(20, 2, 100, 1'000, 2).collect(30, 40, 1, 2);
  Profile one = log.finish();
  CallTeller other_log;
  other_log.follow(10, 2, 100, 5'000, 1).collect(30, 40, 1, 2);
  Profile both = merge({one, other_log.finish()});
  EXPECT_THAT(lines_of(both), ElementsAre("T2 6000 0 60 2 1", "T1 1000 0 10 1 1"));
  EXPECT_EQ(sum_of_following(both.following).samples, 3u);
  Filter filter;
  filter.thread = "102";
  apply(filter, one);
  EXPECT_THAT(lines_of(one), ElementsAre("T2 1000 0 10 1 1"));
}

TEST(Followed, OfACorruptLogCostNoMoreThanItsEvents) {
  CallTeller log;
  log.gone(5, UINT64_MAX).follow_part(6, 0).follow_part(7, UINT64_MAX).follow(10, 1, 0, UINT64_MAX, 1u << 20);
  log.collect(30, 40, UINT64_MAX, 2);
  const Profile profile = log.finish();
  ASSERT_EQ(profile.followed.size(), 1u);
  EXPECT_GT(profile.followed[0].bytes, 0u);
}

TEST(Followed, NoneAreNone) {
  const Profile profile = CallTeller().sample(10, 1, 24, 1'000).collect(30, 40, 1, 2).finish();
  EXPECT_THAT(lines_of(profile), IsEmpty());
  EXPECT_EQ(sum_of_following(profile.following).from_ns, -1);
}

TEST(Followed, AreWeighedByWhatTheySurvived) {
  CallTeller log;
  log.follow(10, 1, 100, 100'000, 1).collect(20, 30, 1, 2).follow(40, 2, 100, 50'000, 2).collect(50, 60, 2, 2);
  log.follow(70, 3, 100, 100'000, 3);
  const Profile profile = log.finish();
  const auto total = [&](WeightKind weight) { return by_weight(weight, profile)->total_periods(); };
  EXPECT_EQ(total(WeightKind::kAlive), 150'000u);
  EXPECT_EQ(total(WeightKind::kAlive2), 100'000u);
  EXPECT_EQ(by_weight(WeightKind::kAlive10, profile).message(),
            "no objects in this log that survived 10 full collections");
  const Profile alive = by_survival(profile, 1);
  EXPECT_EQ(alive.unit, Unit::kBytesAlive);
  ASSERT_EQ(alive.samples.size(), 2u);
  EXPECT_EQ(alive.functions[alive.nodes[alive.samples[1].node].function].name, "T2");
  EXPECT_EQ(alive.node_counts[alive.samples[1].node], 500u);
}

}  // namespace
}  // namespace oriel::profile
