#include <gtest/gtest.h>

#include "profile/profile.h"
#include "profile/shop/shop_log.h"

namespace oriel::profile {
namespace {

uint64_t kept(const Filter& filter) {
  Profile profile = testing::shop_profile();
  apply(filter, profile);
  EXPECT_EQ(profile.unfiltered_periods, testing::kPeriods);
  uint64_t of_threads = 0;
  for (const Thread& thread : profile.threads) of_threads += thread.samples;
  EXPECT_EQ(of_threads, profile.total_periods());
  return profile.total_periods();
}

Filter thread_filter(const char* thread) {
  Filter filter;
  filter.thread = thread;
  return filter;
}

TEST(Filter, KeepsAllByDefault) { EXPECT_EQ(kept({}), testing::kPeriods); }

TEST(Filter, KeepsAllByDefaultAlsoWhereAThreadHasNoName) {
  Profile profile = testing::shop_profile();
  profile.threads[1].name.clear();
  apply({}, profile);
  EXPECT_EQ(profile.total_periods(), testing::kPeriods);
}

TEST(Filter, ByThread) {
  EXPECT_EQ(kept(thread_filter("main")), 26u);
  EXPECT_EQ(kept(thread_filter("101")), 26u);
  EXPECT_EQ(kept(thread_filter("worker 1")), 3u);
  EXPECT_EQ(kept(thread_filter("worker 12")), 0u);
  EXPECT_EQ(kept(thread_filter("work")), 3u);
  EXPECT_EQ(kept(thread_filter("1")), 3u);  // not an OS id: part of two names
  EXPECT_EQ(kept(thread_filter("nobody")), 0u);
}

TEST(Filter, ByTimeBothEndsIncluded) {
  Filter filter;
  filter.from_ns = 10'000'000;
  filter.to_ns = 16'000'000;
  EXPECT_EQ(kept(filter), 7u);
}

TEST(Filter, ByMethodAnywhereInTheStack) {
  Filter filter;
  filter.method = "AddAsync";
  EXPECT_EQ(kept(filter), 15u);
  filter.method = "memcpy";
  EXPECT_EQ(kept(filter), 10u);
  filter.thread = "worker 1";
  EXPECT_EQ(kept(filter), 0u);
}

TEST(Filter, ThatMatchesNothingSaysWhatOfIt) {
  const Profile profile = testing::shop_profile();
  const auto message = [&](const Filter& filter) { return check_matches(filter, profile).message(); };
  EXPECT_TRUE(check_matches({}, profile));
  Filter filter;
  filter.thread = "worker 1";
  filter.method = "memcpy";  // in the log, but not on this thread
  EXPECT_TRUE(check_matches(filter, profile));
  filter.thread = "nosuch";
  EXPECT_NE(message(filter).find("no thread has \"nosuch\""), std::string::npos) << message(filter);
  filter.thread = "";
  filter.method = "NoSuch";
  EXPECT_NE(message(filter).find("no method has \"NoSuch\""), std::string::npos) << message(filter);
  filter.method = "";
  filter.from_ns = 100'000'000;  // the end of the log
  EXPECT_TRUE(check_matches(filter, profile));
  filter.from_ns++;
  EXPECT_NE(message(filter).find("after the log's end, 100ms"), std::string::npos) << message(filter);
}

TEST(Filter, CollectionsAndPausesByTime) {
  Profile profile = testing::shop_profile();
  Filter filter;
  filter.from_ns = 58'000'000;
  apply(filter, profile);
  ASSERT_EQ(profile.collections.size(), 1u);  // began earlier and still ran
  EXPECT_EQ(profile.collections[0].number, 2u);
  EXPECT_EQ(profile.pauses.size(), 1u);
}

}  // namespace
}  // namespace oriel::profile
