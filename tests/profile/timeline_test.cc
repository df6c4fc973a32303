#include "profile/waiting/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

constexpr int64_t kMs = 1'000'000;

// One second, sampled at 100 Hz: an own method that also waits.
class LanesOfRun : public ::testing::Test {
 protected:
  LanesOfRun() {
    profile.functions.resize(1);
    profile.nodes.resize(1);
    profile.threads.resize(2);
    profile.processes.resize(1);
    profile.origins.push_back({log::Origin::kProject, "Shop"});
    profile.sampling_mode = "process";
    profile.sampling_hz = 100;
    profile.wall_ns = 1000 * kMs;
    own = add("Shop.Cart.Add()", true, 0);
    sleeps = add("System.Threading.Thread.Sleep(int)", true, own);
    joins = add("System.Threading.Thread.Join()", true, own);
  }
  uint32_t add(const char* name, bool managed, uint32_t parent) {
    Function function;
    function.name = name;
    function.managed = managed;
    function.origin = parent == 0 ? 1 : 0;
    profile.functions.push_back(function);
    profile.nodes.push_back({parent, static_cast<uint32_t>(profile.functions.size() - 1), false});
    return static_cast<uint32_t>(profile.nodes.size() - 1);
  }
  std::vector<Lane> found(uint32_t count, size_t most = 10) {
    Lanes made = lanes(profile, waits(profile), parts_of_run(profile, count), most);
    all = made.all;
    return std::move(made.longest);
  }

  Profile profile;
  uint32_t own = 0, sleeps = 0, joins = 0;
  size_t all = 0;  // number of threads with lanes, including those that were cut
};

TEST_F(LanesOfRun, ASampleStandsForTheTimeBeforeIt) {
  profile.samples.push_back({150 * kMs, 1, own, 10});  // from 50 to 150
  const std::vector<Lane> lanes_found = found(10);
  ASSERT_EQ(lanes_found.size(), 1u) << "the other thread did nothing";
  EXPECT_EQ(lanes_found[0].thread, 1u);
  EXPECT_THAT(std::vector<float>(lanes_found[0].ran.begin(), lanes_found[0].ran.begin() + 3),
              ElementsAre(FloatNear(0.5, 0.01), FloatNear(0.5, 0.01), 0));
}

// A row of a log with very many samples: nobody knows when in its window they were.
TEST_F(LanesOfRun, ASampleThatStandsForSeveralIsSpreadOverItsWindow) {
  profile.sample_window_ns = 400 * kMs;
  profile.threads[1].first_ns = 0;
  profile.threads[1].last_ns = 450 * kMs;
  profile.samples.push_back({300 * kMs, 1, own, 14});  // 140 ms of the 350 from 100 to 450
  const std::vector<Lane> lanes_found = found(10);
  ASSERT_EQ(lanes_found.size(), 1u);
  EXPECT_THAT(
      std::vector<float>(lanes_found[0].ran.begin(), lanes_found[0].ran.begin() + 6),
      ElementsAre(0, FloatNear(0.4, 0.01), FloatNear(0.4, 0.01), FloatNear(0.4, 0.01), FloatNear(0.2, 0.01), 0));
}

TEST_F(LanesOfRun, APartHasWhatWasWaitedForLongest) {
  profile.waits.push_back({260 * kMs, 0, sleeps, 26});  // from 0 to 260
  profile.waits.push_back({400 * kMs, 0, joins, 14});
  const std::vector<Lane> lanes_found = found(4);
  ASSERT_EQ(lanes_found.size(), 1u);
  const WaitTotals rows = waits(profile);
  ASSERT_EQ(rows.rows.size(), 2u);
  EXPECT_EQ(rows.rows[lanes_found[0].waits[0]].place.what, WaitFor::kSleep);
  EXPECT_EQ(rows.rows[lanes_found[0].waits[1]].place.what, WaitFor::kThread);
  EXPECT_EQ(lanes_found[0].waits[2], WaitTotals::kNoRow);
  EXPECT_EQ(lanes_found[0].ns, 400 * kMs);
}

TEST_F(LanesOfRun, ThoseThatDidMostStandFirst) {
  profile.samples.push_back({100 * kMs, 0, own, 1});
  profile.samples.push_back({100 * kMs, 1, own, 2});
  EXPECT_EQ(found(4).front().thread, 1u);
}

TEST_F(LanesOfRun, OnlyAsManyThreadsHaveOneAsAreWanted) {
  profile.threads.resize(2000);
  for (uint32_t thread = 1; thread < 1000; ++thread) profile.samples.push_back({100 * kMs, thread, own, thread % 500});
  const std::vector<Lane> longest = found(4, 3);
  EXPECT_EQ(all, 998u) << "one of those with samples has no periods, as 500 % 500; the others have no samples";
  ASSERT_EQ(longest.size(), 3u);
  EXPECT_EQ(longest[0].thread, 499u);
  EXPECT_EQ(longest[1].thread, 999u);
  EXPECT_EQ(longest[2].thread, 498u);
}

TEST_F(LanesOfRun, PartsAreOfWhatTheFilterKeeps) {
  profile.filter.from_ns = 500 * kMs;
  const Parts parts = parts_of_run(profile, 5);
  EXPECT_EQ(parts.length_ns(), 100.0 * kMs);
  EXPECT_EQ(parts.of(0), 0u);
  EXPECT_EQ(parts.of(750 * kMs), 2u);
  EXPECT_EQ(parts.of(INT64_MAX), 4u);
}

TEST_F(LanesOfRun, OfALogWithoutTimesThereAreNone) {
  profile.samples.push_back({100 * kMs, 0, own, UINT64_MAX});
  EXPECT_EQ(found(4).size(), 1u);
  profile.sampling_hz = 0;
  EXPECT_TRUE(found(4).empty());
}

}  // namespace
}  // namespace oriel::profile
