// Profiles of a part of a log's time are the same with the log's index as without it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "log/call_list.h"
#include "log/calls_of_bytes.h"
#include "log/range_decoder.h"
#include "log/writer.h"
#include "profile/build/builder.h"
#include "profile/shop/same_profile.h"

namespace oriel::profile {
namespace {

using log::CounterRange;

class Range : public ::testing::Test {
 protected:
  // Counts what is told of calls that are passed over.
  struct CountingBuilder : Builder {
    void on_passed(const log::PassedCalls& passed) override {
      enters += passed.enters;
      Builder::on_passed(passed);
    }
    using Builder::on_passed;
    uint64_t enters = 0;
  };

  Range() : path_(::testing::TempDir() + "oriel-range-" + std::to_string(getpid()) + ".oriel") {}
  ~Range() override { std::remove(path_.c_str()); }

  Profile read(const CounterRange& range, const log::SampleIndex& index,
               const std::unordered_set<uint64_t>& left_out = {}) {
    CountingBuilder builder;
    builder.limit_samples(range);
    builder.limit_calls(range.from, range.to);
    builder.leave_out_threads(left_out);
    const auto outcome = log::decode_range(path_, index, builder.part(), builder);
    EXPECT_TRUE(outcome) << outcome.message();
    passed_ += builder.enters;
    return builder.finish(*outcome);
  }
  // Compares what is read of a range.
  void compare(const CounterRange& range, const log::SampleIndex& index) {
    SCOPED_TRACE(std::to_string(range.from) + " to " + std::to_string(range.to));
    const Profile whole = read(range, {});
    const Profile part = read(range, index);
    EXPECT_EQ(testing::difference(whole, part), "");
  }
  log::SampleIndex index(uint64_t piece) const {
    auto made = log::make_sample_index(path_, piece);
    EXPECT_TRUE(made) << made.message();
    return made ? std::move(*made) : log::SampleIndex();
  }

  std::string path_;
  uint64_t passed_ = 0;
};

TEST_F(Range, OfCallsIsTheSameWithAnIndex) {
  std::mt19937 random(11);
  for (int log = 0; log < 60; ++log) {
    SCOPED_TRACE(log);
    std::vector<uint8_t> bytes(200 + random() % 3000);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const auto writer = log::Writer::create(path_);
    ASSERT_TRUE(writer);
    const uint64_t first = log::CallsOfBytes::kFirstCounter, end = log::CallsOfBytes().write(bytes, **writer);
    const log::SampleIndex indexes[] = {index(1), index(5000)};
    for (int range = 0; range < 12; ++range) {
      const uint64_t from = first + random() % (end - first), to = from + random() % (end - from + 1) / (1 + range % 4);
      compare({from, to}, indexes[range % 2]);
    }
    compare(log::kNoCounters, indexes[0]);
    compare({0, first - 1}, indexes[0]);
    compare({end + 1, UINT64_MAX}, indexes[0]);
  }
  EXPECT_GT(passed_, 10'000u);
}

// A thread's calls by their way from its start: how many, self time, the longest.
using CallsByWay = std::map<std::string, std::array<int64_t, 3>>;
CallsByWay calls_of(uint64_t thread, const Profile& profile) {
  CallsByWay found;
  for (const CallFigures& row : profile.call_figures) {
    if (row.calls == 0 || profile.threads[row.thread].id != thread) continue;
    std::string way;
    for (uint32_t node = row.node; node != 0; node = profile.call_nodes[node].parent)
      way += profile.functions[profile.call_nodes[node].function].name + " ";
    found[way] = {static_cast<int64_t>(row.calls), row.self_ns, row.longest_ns};
  }
  return found;
}

std::vector<Sample> samples_of(uint64_t thread, const Profile& profile) {
  std::vector<Sample> found;
  for (const Sample& sample : profile.samples)
    if (profile.threads[sample.thread].id == thread) found.push_back(sample);
  return found;
}

// A thread's samples and calls, whatever is left out of others, and however they are read.
TEST_F(Range, OfAThreadIsTheSameWithoutTheOthers) {
  std::mt19937 random(12);
  for (int log = 0; log < 8; ++log) {
    SCOPED_TRACE(log);
    std::vector<uint8_t> bytes(1000 + random() % 3000);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const auto writer = log::Writer::create(path_);
    ASSERT_TRUE(writer);
    log::CallsOfBytes().write(bytes, **writer);
    const Profile all = read({}, {});
    for (const Thread& thread : all.threads) {
      std::unordered_set<uint64_t> others;
      for (const Thread& other : all.threads)
        if (other.id != thread.id) others.insert(other.id);
      for (const log::SampleIndex& index : {log::SampleIndex(), index(1)}) {
        const Profile part = read({}, index, others);
        EXPECT_EQ(calls_of(thread.id, part), calls_of(thread.id, all));
        EXPECT_EQ(samples_of(thread.id, part).size(), samples_of(thread.id, all).size());
        EXPECT_EQ(part.total_periods(), samples_of(thread.id, part).size());
        EXPECT_EQ(part.unfiltered_periods, all.unfiltered_periods);
        EXPECT_EQ(part.call_total().enters, all.call_total().enters);
        EXPECT_EQ(part.threads.size(), all.threads.size());
        EXPECT_EQ(part.wall_ns, all.wall_ns);
      }
    }
  }
  EXPECT_GT(passed_, 1000u);
}

// So that the calls that a range begins in are those of the pieces before it.
TEST_F(Range, BeginsInTheCallsThatAreOpenThere) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  log::Intro intro;
  intro.clock = {0, 1'700'000'000'000'000};
  (*writer)->intro(intro);
  constexpr uint64_t kPairs = 200;
  const auto flush = [&](log::CallList calls) {
    const uint64_t last = calls.records().back().value;
    for (uint64_t i = 0; i < kPairs; ++i) calls.enter(8, last).leave(8, last);
    calls.write(**writer, 1);
    ASSERT_TRUE((*writer)->flush({}));
  };
  flush(log::CallList().enter(1, 100).enter(2, 110).enter(3, 120));
  flush(log::CallList().leave(3, 200).leave(2, 210).enter(4, 220).enter(5, 230));
  flush(log::CallList().leave(5, 300).enter(6, 310));
  flush(log::CallList().leave(6, 400).leave(4, 410).leave(1, 420));
  flush(log::CallList().enter(7, 500).leave(7, 510));
  const Profile profile = read({250, 350}, index(1));
  ASSERT_EQ(profile.call_nodes.size(), 6u) << "1, in it 4, in this 5 and 6, in this 8";
  EXPECT_EQ(profile.call_nodes[1].parent, 0u);
  EXPECT_EQ(profile.call_nodes[2].parent, 1u);
  EXPECT_EQ(profile.call_nodes[3].parent, 2u);
  EXPECT_EQ(profile.call_nodes[4].parent, 2u);
  EXPECT_EQ(profile.call_figures[4].calls, 1u);
  EXPECT_EQ(profile.call_nodes[5].parent, 4u);
  EXPECT_EQ(profile.call_figures[5].calls, kPairs);
  EXPECT_EQ(profile.call_total().enters, 7 + 5 * kPairs);
  EXPECT_EQ(passed_, 6 + 4 * kPairs) << "all but those of one piece";
}

// Calls that were open before damage do not last until what was read after it.
TEST_F(Range, OfADamagedLogEndsCallsAtTheDamage) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  log::Intro intro;
  intro.clock = {0, 1'700'000'000'000'000};
  (*writer)->intro(intro);
  log::CallList().enter(1, 100).enter(2, 110).write(**writer, 1);
  ASSERT_TRUE((*writer)->flush({}));
  const uint64_t lost = (*writer)->bytes_written();
  log::CallList().leave(2, 200).leave(1, 210).enter(1, 220).write(**writer, 1);
  ASSERT_TRUE((*writer)->flush({}));
  log::CallList().enter(3, 90'000).leave(3, 90'010).leave(1, 90'020).enter(4, 90'030).leave(4, 90'040).write(**writer,
                                                                                                             1);
  ASSERT_TRUE((*writer)->flush({}));
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(lost) + 20);
  file.put('\x55').flush();
  const Profile profile = read({}, {});
  EXPECT_FALSE(profile.problems.empty());
  EXPECT_EQ(profile.call_total().gaps, 1u);
  EXPECT_EQ(profile.call_total().without_leave, 2u);
  EXPECT_EQ(profile.call_total().without_enter, 1u);
  for (const CallFigures& row : profile.call_figures) EXPECT_LT(row.longest_ns, 10'000) << row.node;
  compare({}, index(1));
  compare({150, 95'000}, index(1));
}

TEST_F(Range, OfADamagedLogIsTheSameWithAnIndex) {
  std::mt19937 random(13);
  for (int log = 0; log < 25; ++log) {
    SCOPED_TRACE(log);
    std::vector<uint8_t> bytes(3000 + random() % 6000);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    uint64_t end = 0, size = 0;
    {
      const auto writer = log::Writer::create(path_);
      ASSERT_TRUE(writer);
      end = log::CallsOfBytes().write(bytes, **writer);
      size = (*writer)->bytes_written();
    }
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 10 + random() % (size - size / 10)));
    file.put(static_cast<char>(random())).flush();
    const log::SampleIndex made = index(1);
    const uint64_t first = log::CallsOfBytes::kFirstCounter;
    compare({}, made);
    for (int range = 0; range < 4; ++range) {
      const uint64_t from = first + random() % (end - first);
      compare({from, from + random() % (end - from + 1)}, made);
    }
  }
}

// A piece that opens more calls than an index tells of is read, whatever the range.
TEST_F(Range, AfterADeepRecursionIsTheSameWithAnIndex) {
  constexpr uint32_t kDeep = 100'000, kAtOnce = 50'000;
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  log::Intro intro;
  intro.clock = {0, 1'700'000'000'000'000};
  (*writer)->intro(intro);
  log::CallList down;
  for (uint32_t i = 0; i < kDeep; ++i) down.enter(1 + i % 3, 1000 + i);
  down.write(**writer, 1);
  ASSERT_TRUE((*writer)->flush({}));
  uint64_t now = 1'000'000;
  uint32_t depth = kDeep;
  while (depth != 0) {
    log::CallList up;
    for (uint32_t i = 0; i < kAtOnce; ++i, ++now) up.leave(1 + --depth % 3, now);
    up.enter(9, now + 1).leave(9, now + 2).write(**writer, 1);
    now += 2;
    ASSERT_TRUE((*writer)->flush({}));
  }
  const log::SampleIndex made = index(1);
  ASSERT_EQ(made.pieces.size(), 3u);
  EXPECT_TRUE(made.pieces[0].rest.empty());
  EXPECT_FALSE(made.pieces[1].rest.empty());
  compare({now - 10, now}, made);
  compare({now + 10, now + 20}, made);
  EXPECT_EQ(passed_, 3u) << "of 9: of the first range one, of the second both";
}

}  // namespace
}  // namespace oriel::profile
