#include "profile/build/memory/memory_limit.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace oriel::profile {
namespace {

TEST(MemoryLimit, RecordsOfASmallLogThatTakeALotAreLeftOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "memory is not measured with sanitizers";
#endif
  constexpr size_t kRecords = 5'000;
  MemoryLimit limit;
  limit.open(60'000);
  for (size_t i = 0; i < kRecords; ++i) ASSERT_TRUE(limit.for_record());
  const std::string taken(64'000'000, 'x');  // resident, as each byte is written
  size_t fit = 0;
  for (size_t i = 0; i < kRecords; ++i) fit += limit.for_record();
  EXPECT_LT(fit, 1'000u) << taken.size();
  EXPECT_EQ(limit.left_out(), kRecords - fit);
}

}  // namespace
}  // namespace oriel::profile
