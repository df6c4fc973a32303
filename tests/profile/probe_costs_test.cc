#include "profile/build/probe_costs.h"

#include <gtest/gtest.h>

#include "log/properties.h"

namespace oriel::profile {
namespace {

// 70 ticks for a separately timed segment, of which 6 are hidden behind longer code; 25 for any other.
const ProbeCosts kCosts{70, 6, 25, 10};

OwnSegments shorts(uint64_t all, uint64_t measured, uint64_t timed) {
  OwnSegments own;
  own.all = all;
  own.ticks = all * measured;
  own.timed = timed != 0 ? 100 : 0;
  own.timed_ticks = own.timed * timed;
  return own;
}

double average(const OwnSegments& own, const ProbeCosts& costs = kCosts) {
  return without_probes(own, own, costs) / static_cast<double>(own.all);
}

TEST(ProbeCosts, AreReadFromTheLogsCounters) {
  const ProbeCosts costs = probe_costs({{log::counter::kProbesTimed, 70'000},
                                        {log::counter::kProbesHidden, 6'000},
                                        {log::counter::kProbesReading, 25'500},
                                        {log::counter::kProbesAllocation, UINT64_MAX}});
  EXPECT_EQ(costs.timed, 70);
  EXPECT_EQ(costs.hidden, 6);
  EXPECT_EQ(costs.reading, 25.5);
  EXPECT_EQ(costs.allocation, 10'000);
}

TEST(ProbeCosts, AreLeftInWhereTheLogDoesNotTell) { EXPECT_EQ(average(shorts(1000, 25, 90), {}), 25); }

TEST(ProbeCosts, TheTimedSegmentsTellWhatTheOthersTook) {
  EXPECT_EQ(average(shorts(1000, 25, 70)), 0);    // a getter: only probe costs
  EXPECT_EQ(average(shorts(1000, 25, 60)), 0);    // never negative
  EXPECT_EQ(average(shorts(1000, 62, 150)), 86);  // code that ran while the clock was read
  EXPECT_EQ(average(shorts(1000, 75, 130)), 66);
  EXPECT_EQ(average(shorts(1000, 25, 79)), 12);  // shorter code hides less of the cost
}

TEST(ProbeCosts, NoSegmentIsLongerThanWasSeenAndOneReading) { EXPECT_EQ(average(shorts(1000, 50, 400)), 75); }

TEST(ProbeCosts, FewTimedSegmentsAreNotBelieved) {
  OwnSegments few = shorts(1000, 100, 170);
  few.timed = 2;
  few.timed_ticks = 8000;
  EXPECT_EQ(without_probes(few, few, kCosts), 75'000);
  EXPECT_EQ(without_probes(few, shorts(9, 100, 160), kCosts), 96'000);  // but the method's segments elsewhere do
}

TEST(ProbeCosts, LongSegmentsStayAsTheyAre) {
  OwnSegments own = shorts(1000, 25, 70);
  own.ticks += 3'000'000;
  own.all += 2;
  own.longs = 2;
  own.long_ticks = 3'000'000;
  EXPECT_EQ(without_probes(own, own, kCosts), 3'000'000 - 2 * 25);
  own.ticks += 50'000'000;  // not counted as long
  EXPECT_GT(without_probes(own, own, kCosts), 40'000'000);
}

TEST(ProbeCosts, AllocationsProbesAreTakenOut) {
  OwnSegments own = shorts(1000, 75, 130);
  own.allocations = 600;
  EXPECT_EQ(without_probes(own, own, kCosts), 66'000 - 6'000);
}

TEST(ProbeCosts, DamagedNumbersMakeNoTime) {
  OwnSegments own;
  own.all = UINT64_MAX;
  own.ticks = 100;
  own.longs = UINT64_MAX;
  own.long_ticks = UINT64_MAX;
  EXPECT_LE(without_probes(own, own, kCosts), 200);
  own.longs = 0;
  own.long_ticks = 0;
  EXPECT_LE(without_probes(own, own, kCosts), 200);
}

}  // namespace
}  // namespace oriel::profile
