// How many samples threads get, by mode and rate.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

class CpuRate : public ::testing::TestWithParam<uint32_t> {};

// Whatever signals were late or ran together, the periods add up to the CPU time used.
TEST_P(CpuRate, PeriodsAddUpToCpuTime) {
  const uint32_t hz = GetParam();
  Sampling sampling(Mode::kProcess, hz);
  ASSERT_EQ(sampling.error(), nullptr);
  const int64_t before = thread_cpu_ns();
  burn_cpu(1000 * kMs);
  const double used = static_cast<double>(thread_cpu_ns() - before) / 1e9;
  const double periods = static_cast<double>(periods_of(static_cast<uint32_t>(gettid())));
  EXPECT_NEAR(periods, used * hz, used * hz * 0.05 + 2);
}

// And many of them come as samples of their own, not as one sample that stands for many, even on a machine that is
// busy.
TEST_P(CpuRate, SamplesComeOneByOne) {
  const uint32_t hz = GetParam();
  Sampling sampling(Mode::kProcess, hz);
  ASSERT_EQ(sampling.error(), nullptr);
  burn_cpu(1000 * kMs);
  EXPECT_GE(static_cast<double>(sample_count()), 0.25 * static_cast<double>(total_periods()));
}

INSTANTIATE_TEST_SUITE_P(Rates, CpuRate, ::testing::Values(50, 100, 250, 1000), ::testing::PrintToStringParamName());

}  // namespace
}  // namespace oriel::sampling::testing
