// A module's own thread: what it is given to do at once is done before who gave it goes on.
#include "modules/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace oriel::modules {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

TEST(Worker, DoesAtOnceWhatSeveralThreadsGiveIt) {
  Worker worker;
  ASSERT_TRUE(worker.start("test-worker", [] { return Status::ok(); }));
  constexpr int kThreads = 4, kTasks = 200;
  int done = 0;  // the worker's own
  std::atomic<int> in_time{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int task = 0; task < kTasks; ++task) in_time += worker.do_now([&] { ++done; }, minutes(1));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(in_time.load(), kThreads * kTasks);
  int at_end = 0;
  EXPECT_TRUE(worker.stop(minutes(1), [&] { at_end = done; }));
  EXPECT_EQ(at_end, kThreads * kTasks);
  EXPECT_FALSE(worker.do_now([] {}, minutes(1))) << "it has ended";
}

TEST(Worker, WhoGivesItSomethingWaitsNoLongerThanItSaid) {
  auto* const worker = new Worker;  // lives on with what it is at
  ASSERT_TRUE(worker->start("test-worker", [] { return Status::ok(); }));
  auto* const goes_on = new std::atomic<bool>{false};
  auto* const done = new std::atomic<bool>{false};
  EXPECT_FALSE(worker->do_now(
      [=] {
        goes_on->wait(false);
        *done = true;
      },
      milliseconds(1)));
  EXPECT_FALSE(done->load());
  *goes_on = true;
  goes_on->notify_all();
  EXPECT_TRUE(worker->stop(minutes(1), [] {}));
  EXPECT_TRUE(done->load());
}

TEST(Worker, GoesOnWithWhatItDoesEverySoOften) {
  Worker worker;
  ASSERT_TRUE(worker.start("test-worker", [] { return Status::ok(); }));
  std::atomic<int> rounds{0};
  worker.run_periodically(milliseconds(1), [&] {
    ++rounds;
    return milliseconds(1);
  });
  while (rounds.load() < 3) std::this_thread::yield();
  EXPECT_TRUE(worker.do_now([] {}, minutes(1)));
  const int until_then = rounds.load();
  while (rounds.load() < until_then + 3) std::this_thread::yield();
  EXPECT_TRUE(worker.stop(minutes(1), [] {}));
}

}  // namespace
}  // namespace oriel::modules
