// What a killed program left beside its log; how it is written, tests of the engine show.
#include "log/counters_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/coverage_file.h"

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
  EXPECT_EQ(read_counters(bytes).message(), "it is of another version of Oriel");
}

}  // namespace
}  // namespace oriel::log
