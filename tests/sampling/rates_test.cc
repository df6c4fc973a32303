// How many samples threads get, by mode and rate.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

class CpuRate : public ::testing::TestWithParam<uint32_t> {};

// Whatever signals were late or ran together, the periods add up to the CPU time used.
TEST_P(CpuRate, PeriodsAddUpToCpuTime) {
  const uint32_t hz = GetParam();
  Sampling sampling(ORIEL_SAMPLE_PROCESS, hz);
  ASSERT_EQ(sampling.error(), nullptr);
  const int64_t before = thread_cpu_ns();
  burn_cpu(1000 * kMs);
  EXPECT_TRUE(samples_catch_up(before, hz));
}

// Also where samples come more seldom, and each stands for more.
TEST(Pace, PeriodsAddUpToCpuTime) {
  constexpr uint32_t kHz = 100, kPace = 200;
  Sampling sampling(ORIEL_SAMPLE_PROCESS, kHz);
  ASSERT_EQ(sampling.error(), nullptr);
  burn_cpu(100 * kMs);
  set_pace(kPace);
  burn_cpu(100 * kMs);
  clear_samples();
  const int64_t before = thread_cpu_ns();
  burn_cpu(2000 * kMs);
  const auto most = static_cast<size_t>(2 * kHz * kPace / 1000 * 2);
  EXPECT_LE(sample_count(), most);
  const int64_t used = thread_cpu_ns() - before;
  const auto told = static_cast<int64_t>(total_periods()) * 1'000'000'000 / kHz;
  constexpr double kFourSamples = 4.0 * 1000 / kPace * 1'000'000'000 / kHz;  // a busy machine delivers some late
  EXPECT_NEAR(static_cast<double>(told), static_cast<double>(used), kFourSamples);
  set_pace(1000);
  EXPECT_TRUE(samples_catch_up(before, kHz));
}

TEST(Pace, TimeInSamplesGrows) {
  const uint64_t before = time_in_samples();
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  ASSERT_EQ(sampling.error(), nullptr);
  EXPECT_TRUE(burn_until([] { return sample_count() >= 20; }));
  const uint64_t took = (time_in_samples() - before) / sample_count();
  EXPECT_GT(took, 500u);
  EXPECT_LT(took, 1'000'000u);
}

// And they come as samples of their own, not as one sample that stands for many.
TEST_P(CpuRate, SamplesComeOneByOne) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, GetParam());
  ASSERT_EQ(sampling.error(), nullptr);
  // Above the kernel's tick, of 250 or 100 a second, a sample may have to stand for all periods of a tick.
  const uint32_t few = GetParam() > 100 ? 1 + GetParam() / 100 : 2;
  EXPECT_TRUE(burn_until([few] {
    size_t alone = 0;
    for (size_t i = 0; i < sample_count(); i++) alone += sample_at(i).periods <= few;
    return alone >= 20;
  }));
}

INSTANTIATE_TEST_SUITE_P(Rates, CpuRate, ::testing::Values(50, 100, 250, 1000), ::testing::PrintToStringParamName());

}  // namespace
}  // namespace oriel::sampling::testing
