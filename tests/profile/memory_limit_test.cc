#include "profile/build/memory/memory_limit.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace oriel::profile {
namespace {

constexpr uint64_t kLogBytes = 60'000;

// How many of so many records fit while the process has so many bytes more than before the log.
size_t fitting(size_t records, size_t more_bytes) {
  MemoryLimit limit;
  limit.open(kLogBytes);
  const std::string more(more_bytes, 'x');  // resident, as each byte is written
  size_t fit = 0;
  for (size_t i = 0; i < records; ++i) fit += limit.for_record();
  EXPECT_EQ(limit.left_out(), records - fit);
  return more.empty() ? 0 : fit;
}

// An emulator's translations are part of the process, and some 20 MB.
TEST(MemoryLimit, AnEmulatorsMemoryIsNotTheLogs) { EXPECT_EQ(fitting(5'000, 20'000'000), 5'000u); }

TEST(MemoryLimit, RecordsOfASmallLogThatTakeALotAreLeftOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "memory is not measured with sanitizers";
#endif
  EXPECT_LT(fitting(5'000, 64'000'000), 1'000u);
}

}  // namespace
}  // namespace oriel::profile
