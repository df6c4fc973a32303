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
  double full = 0;    // walks that have as many frames as a sample holds
  size_t samples = 0;
};

Shares shares() {
  Shares result;
  result.samples = sample_count();
  if (result.samples == 0) return result;
  for (size_t i = 0; i < result.samples; i++) {
    const Taken& one = sample_at(i);
    result.whole += !one.truncated;
    result.full += one.depth == ORIEL_MAX_FRAMES;
    for (uint32_t f = 1; f < one.depth; f++) {
      if (one.frames[f] != call_site) continue;
      result.caller++;
      break;
    }
  }
  result.whole *= 100.0 / static_cast<double>(result.samples);
  result.caller *= 100.0 / static_cast<double>(result.samples);
  result.full *= 100.0 / static_cast<double>(result.samples);
  return result;
}

// Enough samples that one or two at the edges of the work do not count; a minute is as long as any test waits.
constexpr size_t kEnough = 300;
class Patience {
 public:
  explicit Patience(int64_t at_least_ns) : begin_(wall_ns()), at_least_(at_least_ns) {}
  bool lasts() const {
    const int64_t passed = wall_ns() - begin_;
    return passed < at_least_ || (sample_count() < kEnough && passed < 60'000 * kMs);
  }

 private:
  int64_t begin_;
  int64_t at_least_;
};

// Calls `work` with its own frame between it and the test.
template <typename Work>
ORIEL_OUT_OF_LINE void run_within_known_frame(Work work) {
  call_site = reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
  work();
  asm volatile("" ::: "memory");
}

template <typename Work>
Shares sample(oriel_sample_mode mode, uint32_t hz, Work work) {
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

// Percent of the samples. A few fall into the thread's own begin and end, more with ThreadSanitizer, which hands
// signals over late and has code of its own all over.
constexpr double kAlmostAll = kSignalsComeLate ? 85 : 97;

TEST(Stacks, LeadThroughTheCLibrarysSort) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  const Shares found = sample(ORIEL_SAMPLE_PROCESS, 1000, [] {
    std::vector<int> numbers(1 << 16);
    const Patience patience(700 * kMs);
    while (patience.lasts()) {
      for (int& number : numbers) number = rand();
      qsort(numbers.data(), numbers.size(), sizeof(int), compare_ints);
    }
  });
  ASSERT_GE(found.samples, kEnough);
  EXPECT_GE(found.whole, kAlmostAll);
  EXPECT_GE(found.caller, kAlmostAll);
}

// memcpy and its like keep no frame at all.
TEST(Stacks, LeadOutOfFramelessLibraryCode) {
  const Shares found = sample(ORIEL_SAMPLE_PROCESS, 1000, [] {
    std::vector<char> from(1 << 16, 'x'), to(1 << 16);
    const Patience patience(700 * kMs);
    while (patience.lasts()) {
      for (int i = 0; i < 50; i++) {
        memcpy(to.data(), from.data(), from.size());
        asm volatile("" ::"r"(to.data()) : "memory");
      }
    }
  });
  ASSERT_GE(found.samples, kEnough);
  EXPECT_GE(found.whole, kAlmostAll);
  EXPECT_GE(found.caller, kAlmostAll);
}

TEST(Stacks, LeadOutOfSystemCalls) {
  const Shares found = sample(ORIEL_SAMPLE_REAL, 500, [] {
    const Patience patience(500 * kMs);
    while (patience.lasts()) usleep(1000);
  });
  ASSERT_GE(found.samples, kEnough);
  EXPECT_GE(found.whole, kAlmostAll);
}

ORIEL_OUT_OF_LINE int recurse(int depth) {
  volatile int here = depth;
  if (depth == 0) {
    burn_until([] { return sample_count() >= kEnough; });
    return 0;
  }
  return recurse(depth - 1) + here;
}

TEST(Stacks, AreWholeUpToTheLimit) {
  const Shares found = sample(ORIEL_SAMPLE_PROCESS, 1000, [] { recurse(900); });
  ASSERT_GE(found.samples, kEnough);
  EXPECT_GE(found.whole, kAlmostAll);
  EXPECT_GE(found.caller, kAlmostAll);
}

TEST(Stacks, SayThatTheyAreCutAtTheLimit) {
  uint64_t before[ORIEL_LOST_REASONS], after[ORIEL_LOST_REASONS];
  lost(before);
  const Shares found = sample(ORIEL_SAMPLE_PROCESS, 1000, [] { recurse(3000); });
  lost(after);
  ASSERT_GE(found.samples, kEnough);
  EXPECT_LE(found.whole, 100 - kAlmostAll);
  EXPECT_GE(found.full, kAlmostAll);
  constexpr size_t kStackDeep = 6;
  EXPECT_GT(after[kStackDeep], before[kStackDeep]);
}

TEST(Stacks, OfTheMainThreadAreWhole) {
  {
    Sampling sampling(ORIEL_SAMPLE_PROCESS, 1000, true);
    burn_until([] { return sample_count() >= kEnough; });
  }
  const Shares found = shares();
  ASSERT_GE(found.samples, kEnough);
  EXPECT_GE(found.whole, kAlmostAll);
}

}  // namespace
}  // namespace oriel::sampling::testing
