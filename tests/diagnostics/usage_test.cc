#include "diagnostics/usage.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace oriel::diagnostics {
namespace {

TEST(Usage, OfThisProcess) {
  const std::optional<Usage> usage = read_usage(getpid());
  ASSERT_TRUE(usage.has_value());
  EXPECT_GE(usage->threads, 1u);
  EXPECT_GT(usage->resident, 100'000u);
  EXPECT_EQ(usage->pool_workers, 0u);
  EXPECT_FALSE(read_usage(1 << 30).has_value());
}

TEST(Usage, NamesMayHaveAnything) {
  const auto usage = internal::parse_usage("12 (a) R 1) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 17 0 4711 1000 20 0 0",
                                           "500 20 3 0 0 0 0\n");
  ASSERT_TRUE(usage.has_value());
  EXPECT_EQ(usage->cpu_ns, 200 * (1'000'000'000 / sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(usage->threads, 17u);
  EXPECT_EQ(usage->resident, 20u * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  EXPECT_FALSE(internal::parse_usage("12 (a) Z 1 2", "").has_value());
  EXPECT_FALSE(internal::parse_usage("", "").has_value());
}

}  // namespace
}  // namespace oriel::diagnostics
