#include "profile/build/sample_rows.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace oriel::profile {
namespace {

constexpr size_t kMost = 1024;

Sample sample(uint64_t counter, uint32_t thread, uint32_t node, uint64_t periods = 1) {
  return {static_cast<int64_t>(counter), thread, node, periods};
}

void add(SampleRows& rows, const Sample& one) { rows.add({&one, 1}); }

std::map<std::pair<uint32_t, uint32_t>, uint64_t> sums(const std::vector<Sample>& rows) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> by_stack;
  for (const Sample& row : rows) by_stack[{row.thread, row.node}] += row.periods;
  return by_stack;
}

// Two threads with a few stacks each, for so many steps of 1,000 counters.
std::vector<Sample> busy_threads(uint64_t steps) {
  std::vector<Sample> all;
  for (uint64_t step = 0; step < steps; ++step)
    for (uint32_t thread = 0; thread < 2; ++thread)
      all.push_back(sample(step * 1000 + thread, thread, static_cast<uint32_t>(1 + step * step % 7), 1 + step % 3));
  return all;
}

std::vector<Sample> rows_of(SampleRows& rows, const std::vector<Sample>& samples) {
  rows.add(samples);
  return rows.take();
}

TEST(SampleRows, KeepsEachSampleWhileTheyAreFew) {
  SampleRows rows(kMost);
  const std::vector<Sample> all = busy_threads(kMost / 2);
  const std::vector<Sample> kept = rows_of(rows, all);
  EXPECT_EQ(rows.window(), 0u);
  ASSERT_EQ(kept.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(kept[i].ns, all[i].ns);
}

TEST(SampleRows, OfManySamplesKeepsFewRowsWithTheSameSums) {
  SampleRows rows(kMost);
  const std::vector<Sample> all = busy_threads(1'000'000);
  const std::vector<Sample> kept = rows_of(rows, all);
  EXPECT_LE(kept.size(), kMost);
  EXPECT_EQ(sums(kept), sums(all));
  EXPECT_GT(rows.window(), 0u);
  EXPECT_LE(rows.window(), 1'000'000'000u / 16);
}

// Where there is one processor, no other thread merges.
TEST(SampleRows, AreTheSameOnOneProcessorAndOnSeveral) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  for (const size_t most : {kMost, 5 * kMost + 1}) {
    SampleRows on_several(most), on_one(most);
    const std::vector<Sample> all = busy_threads(300'000);
    const std::vector<Sample> several = rows_of(on_several, all);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    const std::vector<Sample> single = rows_of(on_one, all);
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(on_several.window(), on_one.window());
    ASSERT_EQ(several.size(), single.size());
    for (size_t i = 0; i < single.size(); ++i) {
      EXPECT_EQ(several[i].ns, single[i].ns);
      EXPECT_EQ(several[i].thread, single[i].thread);
      EXPECT_EQ(several[i].node, single[i].node);
      EXPECT_EQ(several[i].periods, single[i].periods);
    }
  }
}

TEST(SampleRows, MayBeGivenUpWhileRowsAreMerged) {
  for (size_t i = 0; i < 200; ++i) {
    SampleRows rows(kMost);
    rows.add(busy_threads(kMost / 2 + i));
  }
}

// A row's time is one of its samples', so that where the time decides what a sample is, the shares stay what they are.
TEST(SampleRows, KeepsTheShareOfWhatTheTimeDecides) {
  SampleRows rows(16 * kMost);
  const auto is_in_pause = [](const Sample& one) { return one.ns / 10'000 % 10 == 0; };
  const std::vector<Sample> all = busy_threads(3'000'000);
  uint64_t in_pause = 0, whole = 0;
  for (const Sample& row : rows_of(rows, all)) {
    whole += row.periods;
    if (is_in_pause(row)) in_pause += row.periods;
  }
  const double share = static_cast<double>(in_pause) / static_cast<double>(whole);
  EXPECT_NEAR(share, 0.1, 0.02);
}

TEST(SampleRows, KnowsHowMuchTheSamplesStoodFor) {
  SampleRows rows(kMost);
  rows.add(busy_threads(100'000));
  rows.take();
  EXPECT_NEAR(rows.mean_weight(), (1.0 + 4 + 9) / (1 + 2 + 3), 0.01);
}

TEST(SampleRows, TimesStayInTheirWindow) {
  SampleRows rows(kMost);
  for (uint64_t step = 0; step < 100'000; ++step)
    add(rows, sample(step * 1000, 0, static_cast<uint32_t>(step / 10'000)));
  for (const Sample& row : rows.take()) {
    EXPECT_GE(row.ns / 1000, static_cast<int64_t>(row.node) * 10'000);
    EXPECT_LT(row.ns / 1000, static_cast<int64_t>(row.node + 1) * 10'000);
  }
}

TEST(SampleRows, HasARowForEachStackHoweverManyThereAre) {
  SampleRows rows(kMost);
  for (uint32_t i = 0; i < 20 * kMost; ++i) add(rows, sample(i, 0, i));
  EXPECT_EQ(rows.take().size(), 20 * kMost);
}

// Damage may leave counters that are nobody's.
TEST(SampleRows, AFewTimesFarFromAllOthersDoNotMakeWindowsLonger) {
  SampleRows rows(kMost);
  add(rows, sample(0, 9, 9));
  for (uint64_t step = 0; step < 100'000; ++step) add(rows, sample((uint64_t{1} << 40) + step * 1000, 0, 1 + step % 5));
  add(rows, sample(uint64_t{1} << 62, 9, 9));
  rows.take();
  EXPECT_LT(rows.window(), uint64_t{1} << 24);
}

}  // namespace
}  // namespace oriel::profile
