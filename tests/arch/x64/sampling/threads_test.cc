// Which threads get samples, and that sampling harms none of them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>
#include <vector>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

uint32_t own_id() { return static_cast<uint32_t>(gettid()); }

// A thread that runs `work` once all of them are there, and whose id and CPU time are known at the end.
struct Worker {
  uint32_t id = 0;
  int64_t cpu_ns = 0;
};

template <typename Work>
Worker run_worker(Work work) {
  Worker worker;
  std::thread([&] {
    worker.id = own_id();
    const int64_t before = thread_cpu_ns();
    work();
    worker.cpu_ns = thread_cpu_ns() - before;
  }).join();
  return worker;
}

TEST(Threads, GetSamplesForTheirOwnCpuTime) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&right, i] {
      burn_cpu((i + 1) * 300 * kMs);
      right += samples_catch_up(0, 250);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 3);
}

// Two loops without a call: their shares are those of the time they take.
TEST(Threads, SpendingTimeInTwoLoopsShowItByAddress) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 1000);
  int64_t in_first = 0, in_second = 0;
  uintptr_t first_low = 0, first_high = 0;
  const Worker worker = run_worker([&] {
    // Rounds of varying length: signals as even as the rounds would always meet the same point of them.
    for (uint32_t i = 0; i < 600; i++) {
      const uint32_t rounds = 1'500'000 + i * 7'919'000 % 3'000'000;
      const int64_t begin = thread_cpu_ns();
      asm volatile(
          "lea 0f(%%rip), %0\n\tlea 1f(%%rip), %1\n\tmov %2, %%ecx\n"
          "0:\tdec %%ecx\n\tjnz 0b\n1:"
          : "=&r"(first_low), "=&r"(first_high)
          : "r"(rounds)
          : "ecx", "cc");
      const int64_t middle = thread_cpu_ns();
      for (uint32_t round = 0; round < rounds / 3; round++) asm volatile("");
      in_first += middle - begin;
      in_second += thread_cpu_ns() - middle;
    }
  });
  double hits = 0, all = 0, squares = 0;
  for (size_t i = 0; i < sample_count(); i++) {
    const Taken& one = sample_at(i);
    if (one.os_thread != worker.id) continue;
    all += one.periods;
    squares += one.periods * one.periods;
    if (one.ip >= first_low && one.ip < first_high) hits += one.periods;
  }
  ASSERT_GT(all, 100);
  const double expected = static_cast<double>(in_first) / static_cast<double>(in_first + in_second);
  // Five standard deviations of a share. Timers on CPU clocks fire on the kernel's tick, 100 to 1,000 a second, so the
  // samples tell of no more points in time than that; and of fewer where one stands for many periods.
  const double points = std::min(static_cast<double>(in_first + in_second) / 1e7, all * all / squares);
  EXPECT_NEAR(hits / all, expected, 5 * std::sqrt(expected * (1 - expected) / points));
}

TEST(Threads, ThatComeAndGoAreCounted) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  std::atomic<int64_t> cpu_ns{0};
  uint64_t before[ORIEL_LOST_REASONS];
  lost(before);
  for (int round = 0; round < 4; round++) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; i++) {
      threads.emplace_back([&cpu_ns] {
        thread_started(own_id());
        while (!is_found(own_id())) usleep(200);
        burn_cpu(10 * kMs);
        thread_stopped(own_id());
        cpu_ns += thread_cpu_ns();  // the announcement is some of it, with a sanitizer much
      });
    }
    for (auto& thread : threads) thread.join();
  }
  // Timers on CPU clocks fire on the kernel's tick: what a thread did after its last one is known to be lost.
  constexpr size_t kThreadEnded = 1;
  uint64_t after[ORIEL_LOST_REASONS];
  lost(after);
  const double expected = static_cast<double>(cpu_ns) / 4e6;
  const double known = static_cast<double>(total_periods() + after[kThreadEnded] - before[kThreadEnded]);
  // The last period of each of the 256 threads is whole or not by chance: half a period each is their deviation at
  // most.
  constexpr double kDeviation = 6 * 0.5 * 16;
  // ThreadSanitizer clears its memory of a thread as that ends, for some milliseconds.
  constexpr double kAtTheEnd = kSignalsComeLate ? 256 * 2.0 : 0;
  EXPECT_GE(known, expected - kDeviation);
  EXPECT_LE(known, expected + kDeviation + kAtTheEnd);
  RecordProperty("sampled_percent", static_cast<int>(100 * static_cast<double>(total_periods()) / expected));
  EXPECT_GT(total_periods(), 0u);
}

TEST(Threads, ThatNobodyAnnouncedAreFound) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  bool right = false;
  run_worker([&right] {
    burn_cpu(400 * kMs);
    right = samples_catch_up(0, 250);  // what it did before it was found counts too
  });
  EXPECT_TRUE(right);
}

TEST(Threads, ThatWaitGetRealSamples) {
  Sampling sampling(ORIEL_SAMPLE_REAL, 100);
  const int64_t begin = wall_ns();
  const Worker worker = run_worker([begin] {
    while (periods_of(own_id()) < 20 && wall_ns() - begin < 60'000 * kMs) usleep(10'000);
  });
  EXPECT_GE(periods_of(worker.id), 20u);
  EXPECT_LE(static_cast<int64_t>(periods_of(worker.id)), (wall_ns() - begin) / (10 * kMs) + 1);
}

TEST(Threads, ThatWaitGetNoCpuSamples) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 100);
  const Worker worker = run_worker([] { std::this_thread::sleep_for(std::chrono::milliseconds(500)); });
  EXPECT_LE(static_cast<int64_t>(periods_of(worker.id)), worker.cpu_ns / (10 * kMs) + 1);
}

TEST(Threads, OfToolsAreLeftAlone) {
  for (const oriel_sample_mode mode : {ORIEL_SAMPLE_PROCESS, ORIEL_SAMPLE_REAL}) {
    Sampling sampling(mode, 250);
    const Worker worker = run_worker([] {
      exclude_thread(own_id());
      clear_samples();
      burn_cpu(200 * kMs);
    });
    EXPECT_EQ(periods_of(worker.id), 0u);
  }
}

// A profiler's writer may use as much CPU time as the program: none of it is missing from what is known of the program.
TEST(Threads, OfToolsLoseNoSamples) {
  constexpr size_t kThreadEnded = 1;
  uint64_t before[ORIEL_LOST_REASONS], after[ORIEL_LOST_REASONS];
  lost(before);
  for (const bool ends : {true, false}) {
    std::atomic<bool> may_end{ends}, done{false};
    std::thread tool;
    {
      Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
      tool = std::thread([&] {
        exclude_thread(own_id());
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, nullptr);
        burn_until([] { return is_found(own_id()); });
        burn_cpu(400 * kMs);
        done = true;
        while (!may_end) usleep(1000);
      });
      if (ends) tool.join();
      while (!done) usleep(1000);
    }
    may_end = true;
    if (!ends) tool.join();
  }
  lost(after);
  // Of its 200 periods; the others are what this thread had begun and did not end.
  EXPECT_LT(after[kThreadEnded] - before[kThreadEnded], 20u);
}

TEST(Threads, WithSignalsBlockedAreUnharmedAndCaughtUpWith) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  bool right = false;
  run_worker([&right] {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    burn_cpu(300 * kMs);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    right = samples_catch_up(0, 250);
  });
  EXPECT_TRUE(right);
}

TEST(Threads, KeepTheirSlotAndLeaveItToOthers) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  uint32_t highest = 0;
  for (int i = 0; i < 30; i++) {
    const Worker worker = run_worker([] {
      thread_started(own_id());
      burn_cpu(30 * kMs);
      burn_until([] { return periods_of(own_id()) != 0; });
    });
    uint32_t slot = UINT32_MAX;
    for (size_t s = 0; s < sample_count(); s++) {
      if (sample_at(s).os_thread != worker.id) continue;
      if (slot == UINT32_MAX) slot = sample_at(s).slot;
      EXPECT_EQ(sample_at(s).slot, slot);
      highest = std::max(highest, slot);
    }
    EXPECT_NE(slot, UINT32_MAX);
  }
  EXPECT_LT(highest, 20u);
}

}  // namespace
}  // namespace oriel::sampling::testing
