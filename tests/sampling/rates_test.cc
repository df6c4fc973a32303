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
