#include "modules/method_set.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace oriel::modules {
namespace {

TEST(MethodSet, HasWhatWasAddedAndNothingElse) {
  MethodSet set;
  const std::vector<uint32_t> ids = {1, 63, 64, 65'535, 65'536, 5'000'000, (1u << 28) - 1};
  for (const uint32_t id : ids) EXPECT_FALSE(set.contains(id));
  for (const uint32_t id : ids) EXPECT_TRUE(set.add(id));
  for (const uint32_t id : ids) EXPECT_TRUE(set.contains(id)) << id;
  for (const uint32_t id : {0u, 2u, 62u, 65u, 65'534u, 65'537u, 4'999'999u}) EXPECT_FALSE(set.contains(id)) << id;
}

TEST(MethodSet, RefusesWhatNoProcessCanHold) {
  MethodSet set;
  EXPECT_FALSE(set.add(1u << 28));
  EXPECT_FALSE(set.contains(1u << 28));
  EXPECT_FALSE(set.contains(~0u));
}

// Beside each other, in the same words and in the same new chunks.
TEST(MethodSet, FillsFromManyThreads) {
  constexpr uint32_t kThreads = 4, kIds = 300'000;
  MethodSet set;
  std::atomic<uint32_t> missing{0};
  std::vector<std::thread> threads;
  for (uint32_t first = 0; first < kThreads; ++first) {
    threads.emplace_back([&, first] {
      for (uint32_t id = first; id < kIds; id += kThreads) {
        set.add(id);
        if (!set.contains(id)) missing++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(missing, 0u);
  for (uint32_t id = 0; id < kIds; ++id) ASSERT_TRUE(set.contains(id));
}

}  // namespace
}  // namespace oriel::modules
