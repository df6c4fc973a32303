// The walk: from wherever the signal comes, through which frames it finds the way to the thread's start.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

#define ORIEL_OUT_OF_LINE __attribute__((noinline, noclone, used))

// Where the frame between the test and its work returns to: to be found in all stacks.
uintptr_t call_site = 0;

// How many of all samples, in percent, are as they should be.
struct Shares {
  double whole = 0;   // walks that reached the thread's start
  double caller = 0;  // walks that have the call site
  size_t samples = 0;
};

Shares shares() {
  Shares result;
  result.samples = sample_count();
  if (result.samples == 0) return result;
  for (size_t i = 0; i < result.samples; i++) {
    const Taken& one = sample_at(i);
    result.whole += !one.truncated;
    for (uint32_t f = 1; f < one.depth; f++) {
      if (one.frames[f] != call_site) continue;
      result.caller++;
      break;
    }
  }
  result.whole *= 100.0 / static_cast<double>(result.samples);
  result.caller *= 100.0 / static_cast<double>(result.samples);
  return result;
}

// Calls `work` with its own frame between it and the test.
template <typename Work>
ORIEL_OUT_OF_LINE void run_within_known_frame(Work work) {
  call_site = reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
  work();
  asm volatile("" ::: "memory");
}

template <typename Work>
Shares sample(Mode mode, uint32_t hz, Work work) {
  Shares result;
  std::thread thread([&] {
    Sampling sampling(mode, hz, true);
    run_within_known_frame(work);
    asm volatile("" ::: "memory");
  });
  thread.join();
  return shares();
}

int compare_ints(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

TEST(Stacks, LeadThroughTheCLibrarysSort) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  const Shares found = sample(Mode::kProcess, 1000, [] {
    std::vector<int> numbers(1 << 16);
    const int64_t until = thread_cpu_ns() + 700 * kMs;
    while (thread_cpu_ns() < until) {
      for (int& number : numbers) number = rand();
      qsort(numbers.data(), numbers.size(), sizeof(int), compare_ints);
    }
  });
  ASSERT_GT(found.samples, 100u);
  EXPECT_GE(found.whole, 99);
  EXPECT_GE(found.caller, 99);
}

// memcpy and its like keep no frame at all.
TEST(Stacks, LeadOutOfFramelessLibraryCode) {
  const Shares found = sample(Mode::kProcess, 1000, [] {
    std::vector<char> from(1 << 16, 'x'), to(1 << 16);
    const int64_t until = thread_cpu_ns() + 700 * kMs;
    while (thread_cpu_ns() < until) {
      for (int i = 0; i < 50; i++) {
        memcpy(to.data(), from.data(), from.size());
        asm volatile("" ::"r"(to.data()) : "memory");
      }
    }
  });
  ASSERT_GT(found.samples, 100u);
  EXPECT_GE(found.whole, 99);
  EXPECT_GE(found.caller, 99);
}

TEST(Stacks, LeadOutOfSystemCalls) {
  const Shares found = sample(Mode::kReal, 500, [] {
    const int64_t until = wall_ns() + 500 * kMs;
    while (wall_ns() < until) usleep(1000);
  });
  ASSERT_GT(found.samples, 100u);
  EXPECT_GE(found.whole, 99);
}

ORIEL_OUT_OF_LINE int recurse(int depth, int64_t ns) {
  volatile int here = depth;
  if (depth == 0) {
    burn_cpu(ns);
    return 0;
  }
  return recurse(depth - 1, ns) + here;
}

TEST(Stacks, AreWholeUpToTheLimit) {
  const Shares found = sample(Mode::kProcess, 1000, [] { recurse(900, 400 * kMs); });
  ASSERT_GT(found.samples, 100u);
  EXPECT_GE(found.whole, 99);
  EXPECT_GE(found.caller, 99);
}

TEST(Stacks, SayThatTheyAreCutAtTheLimit) {
  uint64_t before[kLostReasons], after[kLostReasons];
  lost(before);
  const Shares found = sample(Mode::kProcess, 1000, [] { recurse(3000, 400 * kMs); });
  lost(after);
  ASSERT_GT(found.samples, 100u);
  EXPECT_LE(found.whole, 5);
  constexpr size_t kStackDeep = 6;
  EXPECT_GT(after[kStackDeep], before[kStackDeep]);
  EXPECT_EQ(sample_at(found.samples / 2).depth, kMaxFrames);
}

TEST(Stacks, OfTheMainThreadAreWhole) {
  {
    Sampling sampling(Mode::kProcess, 1000, true);
    burn_cpu(500 * kMs);
  }
  const Shares found = shares();
  ASSERT_GT(found.samples, 100u);
  EXPECT_GE(found.whole, 99);
}

}  // namespace
}  // namespace oriel::sampling::testing
