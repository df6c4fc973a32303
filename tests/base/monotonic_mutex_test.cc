#include "base/monotonic_mutex.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace oriel {
namespace {

using std::chrono::milliseconds;

TEST(MonotonicMutex, IsHeldByOne) {
  MonotonicMutex mutex;
  int sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        const std::lock_guard guard(mutex);
        ++sum;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 40'000);
}

TEST(MonotonicMutex, IsWaitedForAsLongAsOneWants) {
  MonotonicMutex mutex;
  std::unique_lock held(mutex);
  EXPECT_FALSE(mutex.try_lock());
  EXPECT_FALSE(mutex.try_lock_for(milliseconds(1)));
  std::atomic<bool> got{false};
  std::thread other([&] { got = std::unique_lock(mutex, milliseconds(60'000)).owns_lock(); });
  std::this_thread::sleep_for(milliseconds(10));
  held.unlock();
  other.join();
  EXPECT_TRUE(got);
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

}  // namespace
}  // namespace oriel
