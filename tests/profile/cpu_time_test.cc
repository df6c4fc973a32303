// The CPU time of a run, by user.
#include "log/properties.h"
#include "profile/recorded.h"

#include <gtest/gtest.h>

namespace oriel::profile {
namespace {

Profile with(uint64_t user_us, uint64_t system_us, int64_t wall_ns) {
  Profile profile;
  profile.usage.user_us = user_us;
  profile.usage.system_us = system_us;
  profile.wall_ns = wall_ns;
  profile.intro.properties = {{"cores", "2"}};
  return profile;
}

TEST(CpuTime, OrielsOwnIsNotTheProgram) {
  Profile profile = with(900'000, 100'000, 1'000'000'000);
  profile.counters = {{log::counter::kOwnCpu, 200'000}};
  EXPECT_EQ(cpu_time(profile)->program_us(), 800'000u);
  EXPECT_DOUBLE_EQ(*cores_busy(profile), 0.8);
  profile.counters = {{log::counter::kOwnCpu, UINT64_MAX}};
  EXPECT_EQ(cpu_time(profile)->program_us(), 0u);
}

TEST(CpuTime, WhatWasUsedBeforeTheLogBeganKeptNoProcessorBusyInIt) {
  Profile profile = with(66'000, 0, 1'000'000);
  EXPECT_FALSE(cores_busy(profile));  // 66 of 2 processors
  profile.intro.properties.emplace_back(log::property::kCpuBefore, "65000");
  EXPECT_DOUBLE_EQ(*cores_busy(profile), 1);
}

TEST(CpuTime, IsNotKnownOfALogWithoutIt) {
  EXPECT_FALSE(cpu_time(with(0, 0, 1'000'000)));
  EXPECT_FALSE(cores_busy(with(0, 0, 1'000'000)));
  EXPECT_FALSE(cores_busy(with(5, 5, 0)));
}

}  // namespace
}  // namespace oriel::profile
