// Counters and activities from single events of libraries.
#include "profile/waiting/requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "oriel/oriel.h"
#include "profile/build/memory/memory_limit.h"
#include "profile/build/reported_values.h"
#include "profile/build/threads.h"
#include "profile/work/series.h"

namespace oriel::profile {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

constexpr int64_t kMs = 1'000'000;

class Told : public ::testing::Test {
 protected:
  Told() {
    clock.add({0, 0});
    clock.seal({0, 0}, 1);
    profile.wall_ns = 1000 * kMs;
    profile.processes.resize(1);
  }

  void counter(int64_t ns, bool is_total, double value, std::string_view name) {
    log::Event event;
    event.number = oriel_event_counter_value;
    event.counter = static_cast<uint64_t>(ns);
    event.values[0] = is_total ? 1 : 0;
    event.values[1] = std::bit_cast<uint64_t>(value);
    event.text = name;
    values.add_value({event, 0, 0, threads, room});
  }
  void activity(int64_t end_ms, int64_t ms, std::string_view text) {
    log::Event event;
    event.number = oriel_event_activity_stopped;
    event.counter = static_cast<uint64_t>(end_ms * kMs);
    event.values[0] = static_cast<uint64_t>(ms * kMs);
    event.text = text;
    values.add_activity({event, 0, 0, threads, room});
  }
  const Profile& finished() {
    values.finish(clock, profile);
    return profile;
  }

  ClockMap clock;
  Threads threads;
  MemoryLimit room;
  ReportedValues values;
  Profile profile;
};

TEST_F(Told, ACountersRateIsBetweenItsPoints) {
  for (const int64_t second : {0, 1, 2})
    counter(second * 200 * kMs, true, 10.0 * static_cast<double>(second * second), "M\tn\tu\ta=b");
  ASSERT_EQ(finished().series.size(), 1u);
  const CounterSeries& series = profile.series[0];
  EXPECT_EQ(series.meter + series.name + series.unit, "Mnu");
  EXPECT_THAT(series.tags, ElementsAre("a=b"));
  const SeriesFigures found = figures(series, profile, 5);
  EXPECT_DOUBLE_EQ(found.least, 50);
  EXPECT_DOUBLE_EQ(found.mean, 100);
  EXPECT_DOUBLE_EQ(found.most, 150);
  EXPECT_DOUBLE_EQ(found.last, 40);
  EXPECT_THAT(found.parts, ElementsAre(DoubleEq(50), DoubleEq(150), 0, 0, 0));
}

TEST_F(Told, ATotalsMeanIsOfTheTimeWhateverItsPoints) {
  // 10 in 800 ms, 50 in the rest, which has three readings.
  const std::pair<int64_t, double> told[] = {{0, 0}, {800, 10}, {801, 30}, {810, 40}, {1000, 60}};
  for (const auto& [ms, value] : told) counter(ms * kMs, true, value, "M\tn");
  const SeriesFigures found = figures(finished().series.at(0), profile, 5);
  EXPECT_DOUBLE_EQ(found.mean, 60);
  EXPECT_DOUBLE_EQ(found.least, 12.5);
  EXPECT_DOUBLE_EQ(found.most, 250);
  EXPECT_THAT(found.parts, ElementsAre(DoubleEq(12.5), DoubleEq(12.5), DoubleEq(12.5), DoubleEq(12.5), DoubleEq(250)));
}

TEST_F(Told, PausesAreOfTheWholeRun) {
  profile.pauses = {{100 * kMs, 50 * kMs, 0}, {151 * kMs, 50 * kMs, 0}};
  const std::vector<CounterSeries> all = process_series(profile);
  ASSERT_EQ(all.size(), 1u);
  const SeriesFigures found = figures(all[0], profile, 5);
  EXPECT_DOUBLE_EQ(found.mean, 0.1);
  EXPECT_NEAR(found.most, 1, 0.02);
  EXPECT_DOUBLE_EQ(found.last, 0.1);
  EXPECT_THAT(found.parts, ElementsAre(DoubleEq(0.495), DoubleEq(0.005), 0, 0, 0));
}

TEST_F(Told, WhatFallsIsNoTotal) {
  counter(0, true, 5, "M\tthreads");
  counter(10, true, 3, "M\tthreads");
  EXPECT_FALSE(finished().series.at(0).is_total);
  EXPECT_EQ(figures(profile.series[0], profile, 1).mean, 4);
}

TEST_F(Told, ATotalThatWasToldOnceGrewSinceTheBegin) {
  counter(500 * kMs, true, 5, "M\tn");
  EXPECT_DOUBLE_EQ(figures(finished().series.at(0), profile, 1).mean, 10);
}

TEST_F(Told, WhatIsNoNumberIsLeftOut) {
  counter(0, false, std::bit_cast<double>(~uint64_t{0}), "M\tn");
  EXPECT_TRUE(finished().series.empty());
}

TEST_F(Told, RequestsAreGroupsOfWhatTheirPartsAreGroupsOf) {
  for (int i = 0; i < 2; ++i) {
    const std::string trace = "trace" + std::to_string(i) + "\t";
    const int64_t begin = 100 * i;
    activity(begin + 30, 20, trace + "2\t1\tUnset\tStore\tSELECT");
    activity(begin + 40, 20, trace + "3\t1\tUnset\tStore\tSELECT");  // overlaps the first by 10 ms
    activity(begin + 90, 90, trace + "1\t0000\t" + (i == 1 ? "Error" : "Unset") + "\tWeb\tGET /cart\tcart.id=7");
  }
  activity(950, 5, "\t\t\t\tStore\tCREATE");
  const std::vector<ActivityGroup> all = requests(finished());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "GET /cart");
  EXPECT_EQ(all[0].activities.size(), 2u);
  EXPECT_EQ(all[0].failed, 1u);
  EXPECT_EQ(all[0].ns, 180 * kMs);
  EXPECT_EQ(all[0].parts_ns, 60 * kMs);
  ASSERT_EQ(all[0].groups.size(), 1u);
  EXPECT_EQ(all[0].groups[0].activities.size(), 4u);
  EXPECT_EQ(all[1].name, "CREATE");
  EXPECT_EQ(slowest_requests(profile, 1).size(), 1u);
  EXPECT_EQ(quantile(all[0], profile, 0.95), 90 * kMs);
}

TEST_F(Told, AQuantileIsTheTimeThatSoManyTookAtMost) {
  for (int ms = 1; ms <= 10; ++ms) activity(100, ms, "t\t" + std::to_string(ms) + "\t\t\tWeb\tGET");
  const ActivityGroup group = requests(finished()).at(0);
  EXPECT_EQ(quantile(group, profile, 0), 1 * kMs);
  EXPECT_EQ(quantile(group, profile, 0.5), 5 * kMs);
  EXPECT_EQ(quantile(group, profile, 0.9), 9 * kMs);
  EXPECT_EQ(quantile(group, profile, 0.95), 10 * kMs);
}

TEST_F(Told, WhoseIdsAreAllNoughtsHaveNone) {
  const std::string none = std::string(32, '0') + "\t" + std::string(16, '0') + "\t" + std::string(16, '0');
  for (const int ms : {10, 20}) activity(100 + ms, ms, none + "\t\tWeb\tGET");
  ASSERT_EQ(finished().activities.size(), 2u);
  EXPECT_EQ(profile.activities[0].id, "");
  EXPECT_EQ(requests(profile).at(0).ns, 30 * kMs);
}

TEST_F(Told, WhatIsToldTwiceIsOne) {
  activity(90, 0, "t\t1\t\t\tMicrosoft.AspNetCore\tEndRequest\thttp.request.method=GET\thttp.route=/orders/{id}");
  activity(91, 50, "t\t1\t\tUnset\tMicrosoft.AspNetCore\tHttpRequestIn");
  ASSERT_EQ(finished().activities.size(), 1u);
  EXPECT_EQ(profile.activities[0].ns, 50 * kMs);
  EXPECT_EQ(profile.activities[0].end_ns, 91 * kMs);
  EXPECT_EQ(name_of(profile.activities[0]), "GET /orders/{id}");
}

TEST_F(Told, ARequestWithoutANameHasThatOfItsMethod) {
  activity(90, 1, "t\t1\t\t\tMicrosoft.AspNetCore\t\thttp.request.method=GET\thttp.response.status_code=200");
  EXPECT_EQ(name_of(finished().activities.at(0)), "GET");
}

TEST_F(Told, ThoseThatAreOfEachOtherAreLeftOut) {
  activity(10, 5, "t\t1\t2\t\tWeb\ta");
  activity(20, 5, "t\t2\t1\t\tWeb\tb");
  activity(30, 5, "t\t3\t3\t\tWeb\tc");
  EXPECT_TRUE(requests(finished()).empty());
}

TEST_F(Told, OfTextsWithoutPartsNothingIsKnown) {
  activity(10, 5, "");
  counter(10, false, 1, "");
  EXPECT_EQ(finished().activities.size(), 1u);
  EXPECT_EQ(requests(profile).size(), 1u);
  EXPECT_EQ(profile.series.size(), 1u);
}

}  // namespace
}  // namespace oriel::profile
