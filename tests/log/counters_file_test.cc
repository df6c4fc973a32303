// What a killed program left beside its log; how it is written, tests of the engine show.
#include "log/counters_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/files/coverage_file.h"

namespace oriel::log {
namespace {

TEST(CountersFile, IsBesideItsLog) { EXPECT_EQ(counters_file_of("/logs/shop-1.oriel"), "/logs/shop-1.oriel.counters"); }

TEST(CountersFile, NoneIsNothing) {
  const auto periods = read_counters_beside(testing::TempDir() + "no-such.oriel");
  ASSERT_TRUE(periods);
  EXPECT_TRUE(periods->empty());
}

TEST(CountersFile, WhatIsNoneSaysSo) {
  const std::vector<uint8_t> zeros(coverage_file::kUnit);
  EXPECT_EQ(read_counters({}).message(), "it holds no counters of coverage");
  EXPECT_EQ(read_counters(zeros).message(), "it holds no counters of coverage");
}

TEST(CountersFile, OfALaterVersionSaysSo) {
  std::vector<uint8_t> bytes(coverage_file::kUnit);
  std::copy_n(coverage_file::kMagic, sizeof coverage_file::kMagic, bytes.begin());
  bytes[8] = coverage_file::kVersion + 1;
  EXPECT_EQ(read_counters(bytes).message(), "it is from another version of Oriel");
}

// A file whose one segment has these records.
std::vector<uint8_t> file_with(const std::vector<uint8_t>& records) {
  using namespace coverage_file;
  const uint64_t size = kSegmentHeader + records.size();
  std::vector<uint8_t> bytes(kUnit + size);
  const auto put = [&](size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  std::copy_n(kMagic, sizeof kMagic, bytes.begin());
  put(offsetof(Header, version), kVersion);
  put(offsetof(Header, bytes), bytes.size());
  put(offsetof(Header, period), uint64_t{1});
  put(offsetof(Header, ended_period), kNoPeriod);
  put(kUnit + offsetof(Segment, kind), Kind::kRecords);
  put(kUnit + offsetof(Segment, width), uint32_t{1});
  put(kUnit + offsetof(Segment, bytes), size);
  put(kUnit + offsetof(Segment, used), uint64_t{records.size()});
  std::ranges::copy(records, bytes.begin() + static_cast<ptrdiff_t>(kUnit + kSegmentHeader));
  return bytes;
}

// Seven bytes make an image, which takes two hundred in memory: those of programs have an MVID each.
TEST(CountersFile, HasNoMoreImagesThanItsSizeAllows) {
  std::vector<uint8_t> records;
  for (int i = 0; i < 100'000; ++i) records.insert(records.end(), {1, 0x81, 0, 0, 0, 0, 0});
  const auto periods = read_counters(file_with(records));
  ASSERT_TRUE(periods) << periods.message();
  ASSERT_EQ(periods->size(), 1u);
  EXPECT_GT(periods->front().images.size(), 1000u);
  EXPECT_LT(periods->front().images.size(), 25'000u);
}

TEST(CountersFile, APointsCounterIsNoCount) {
  const auto periods = read_counters(file_with({2, 0x81, 0x81, 0, 0x85, 0x82, 0x80, 0x80, 0x84, 0x81}));
  ASSERT_TRUE(periods) << periods.message();
  ASSERT_EQ(periods->front().methods.size(), 1u);
  const std::vector<CoverageHit>& points = periods->front().methods[0].points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].il, 1u);
  EXPECT_EQ(points[0].count, 0u) << "nothing counted 5";
  EXPECT_EQ(points[1].count, 0u) << "nothing counted 6";
}

}  // namespace
}  // namespace oriel::log
