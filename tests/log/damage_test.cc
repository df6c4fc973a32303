// Logs that are cut, flipped, grown, or hold what nobody knows: the rest is read, and what is lost is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>

#include "log/byte_builder.h"
#include "log/call_list.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

// The lines of each block of the whole log, in order, decoded as the tail of a file without its check blocks.
std::vector<size_t> lines_after_each_block(const ByteVector& log, const std::vector<size_t>& starts) {
  std::vector<size_t> counts = {0};
  for (size_t i = 1; i < starts.size(); ++i) {
    RecordingSink sink;
    EXPECT_TRUE(decode_bytes(log.data(), starts[i], sink).is_ok());
    counts.push_back(sink.lines.size());
  }
  return counts;
}

// Of a log as it is, and of one whose blocks are compressed.
class DamageOf : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Compressed, DamageOf, testing::Bool());

TEST_P(DamageOf, CutAtEveryByteEverythingWholeBeforeItIsRead) {
  const ByteVector log = sample_log(GetParam());
  const std::vector<size_t> starts = block_starts(log);
  RecordingSink whole;
  ASSERT_TRUE(decode_bytes(log.data(), log.size(), whole).is_ok());
  const std::vector<size_t> counts = lines_after_each_block(log, starts);
  EXPECT_EQ(counts.back(), whole.lines.size());
  for (size_t size = 0; size < log.size(); ++size) {
    const ByteVector cut(log.begin(),
                         log.begin() + static_cast<std::ptrdiff_t>(size));  // a heap block: ASan sees its end
    RecordingSink sink;
    const auto outcome = decode_bytes(cut.data(), cut.size(), sink);
    if (size < starts[1]) {
      EXPECT_FALSE(outcome.is_ok()) << size;
      continue;
    }
    ASSERT_TRUE(outcome.is_ok()) << size << outcome.message();
    const auto after = std::upper_bound(starts.begin(), starts.end(), size) - starts.begin();
    EXPECT_EQ(sink.lines.size(), counts[static_cast<size_t>(after) - 1]) << size;
    EXPECT_TRUE(std::equal(sink.lines.begin(), sink.lines.end(), whole.lines.begin())) << size;
    EXPECT_EQ(outcome->torn_bytes, size - starts[static_cast<size_t>(after) - 1]) << size;
    EXPECT_EQ(outcome->corrupt_blocks, 0u) << size;
    EXPECT_THAT(sink.problems, IsEmpty()) << size;
  }
}

// Where check blocks end: what is between two of them is verified together.
std::vector<size_t> check_ends(const ByteVector& log) {
  std::vector<size_t> ends = {0};
  const std::vector<size_t> starts = block_starts(log);
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    if (log[starts[i]] == static_cast<uint8_t>(Block::kCheck)) ends.push_back(starts[i + 1]);
  }
  return ends;
}

TEST_P(DamageOf, EveryFlippedBitIsNoticedAndCostsOnlyItsStretch) {
  const ByteVector log = sample_log(GetParam());
  const std::vector<size_t> starts = block_starts(log);
  const std::vector<size_t> checks = check_ends(log);
  RecordingSink whole;
  ASSERT_TRUE(decode_bytes(log.data(), log.size(), whole).is_ok());
  for (size_t bit = starts[1] * 8; bit < log.size() * 8; ++bit) {
    ByteVector flipped = log;
    flipped[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    RecordingSink sink;
    const auto outcome = decode_bytes(flipped.data(), flipped.size(), sink);
    ASSERT_TRUE(outcome.is_ok()) << bit;
    const size_t stretch =
        static_cast<size_t>(std::upper_bound(checks.begin(), checks.end(), bit / 8) - checks.begin());
    // Behind the last check that is whole, a flip looks like a log that is still being written.
    const bool last = stretch + 1 >= checks.size();
    RecordingSink before;
    ASSERT_TRUE(decode_bytes(log.data(), checks[stretch - 1] == 0 ? starts[1] : checks[stretch - 1], before).is_ok());
    ASSERT_GE(sink.lines.size(), before.lines.size()) << bit;
    EXPECT_TRUE(std::equal(before.lines.begin(), before.lines.end(), sink.lines.begin())) << bit;
    if (!last) {
      EXPECT_EQ(sink.lines.back(), whole.lines.back()) << bit;
      EXPECT_GE(outcome->corrupt_blocks, 1u) << bit;
      EXPECT_THAT(sink.problems, Not(IsEmpty())) << bit;
    } else {
      EXPECT_TRUE(outcome->corrupt_blocks || outcome->torn_bytes || !sink.problems.empty()) << bit;
    }
  }
}

TEST(Damage, ADamagedStretchKeepsItsNamesAndLosesItsSamples) {
  const ByteVector log = sample_log();
  const std::vector<size_t> starts = block_starts(log);
  ByteVector damaged = log;
  damaged[starts[1] + kBlockHeaderSize] ^= 1;  // the clock of the mapping
  RecordingSink sink;
  const auto outcome = decode_bytes(damaged.data(), damaged.size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_THAT(sink.lines,
              IsSupersetOf({"class 1 24 3 Shop.Cart", "native 1 1 memcpy", "sample 2 at 5000 node 2 periods 1"}));
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("the log is damaged between bytes 0 and ")));
}

TEST(Damage, AWrongHashIsSaidAndTheRestIsRead) {
  const ByteVector log = sample_log();
  const std::vector<size_t> starts = block_starts(log);
  size_t samples = 0;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    if (log[starts[i]] == static_cast<uint8_t>(Block::kSamples)) samples = i;
  }
  ASSERT_NE(samples, 0u);
  ByteVector damaged = log;
  damaged[starts[samples] + kBlockHeaderSize + 2] ^= 1;  // still a samples block, only not the one that was written
  RecordingSink sink;
  const auto outcome = decode_bytes(damaged.data(), damaged.size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("the log is damaged between bytes")));
  // Stacks, samples, two of events, call graph, coverage, process, counters, two of options, the check itself.
  EXPECT_EQ(outcome->corrupt_blocks, 11u);
  EXPECT_TRUE(outcome->ended);
  EXPECT_THAT(sink.samples, IsEmpty());
  EXPECT_EQ(sink.lines.back(), "lost thread-ended 0");
}

// A flush of many blocks, as of a program that logs much: names, calls and samples.
ByteVector log_of_long_flushes(bool compressed) {
  const TemporaryFile file;
  auto writer = Writer::create(file.path());
  EXPECT_TRUE(writer);
  if (compressed) (*writer)->compress();
  (*writer)->intro({});
  for (uint64_t flush = 0; flush < 2; ++flush) {
    Mapping mapping;
    mapping.methods = {{flush + 1, 0, "Method" + std::to_string(flush), ""}};
    (*writer)->mapping(mapping);
    for (uint64_t thread = 1; thread <= 20; ++thread) {
      CallList calls;
      for (uint32_t i = 0; i < 60; ++i)
        calls.enter(1 + i % 7, 1000 + i * i * thread).leave(1 + i % 7, 1001 + i * i * thread);
      calls.write(**writer, thread);
      std::vector<Sample> samples;
      for (uint64_t i = 0; i < 40; ++i) samples.push_back({1000 + i * i * thread % 977, 0, 1 + i % 3});
      (*writer)->samples(thread, samples);
    }
    EXPECT_TRUE((*writer)->flush({}));
  }
  return file.content();
}

// Its own lines are lost, or some of them; those of all others are there.
TEST_P(DamageOf, ADamagedBlockCostsNoOther) {
  const ByteVector log = log_of_long_flushes(GetParam());
  const std::vector<size_t> starts = block_starts(log);
  ASSERT_GT(starts.size(), 30u);
  RecordingSink whole;
  ASSERT_TRUE(decode_bytes(log.data(), log.size(), whole).is_ok());
  const std::vector<size_t> lines = lines_after_each_block(log, starts);
  for (size_t block = 1; block + 1 < starts.size(); ++block) {
    const size_t size = starts[block + 1] - starts[block];
    for (const size_t at : {size_t{0}, size_t{2}, size_t{4}, kBlockHeaderSize + 3, size / 2, size - 1}) {
      SCOPED_TRACE("block " + std::to_string(block) + ", byte " + std::to_string(at) + " of " + std::to_string(size));
      ByteVector damaged = log;
      damaged[starts[block] + at] ^= 0x55;
      RecordingSink sink;
      const auto outcome = decode_bytes(damaged.data(), damaged.size(), sink);
      ASSERT_TRUE(outcome.is_ok());
      // The check block's own marker shows where a flush ends, and sums are not needed where nothing else is damaged.
      const auto code = static_cast<Block>(log[starts[block]] | log[starts[block] + 1] << 8);
      if (code == Block::kCheck || code == Block::kSums) continue;
      EXPECT_GE(sink.lines.size(), whole.lines.size() - (lines[block + 1] - lines[block]));
      EXPECT_TRUE(std::equal(sink.lines.begin(), sink.lines.begin() + static_cast<std::ptrdiff_t>(lines[block]),
                             whole.lines.begin()));
      const size_t behind = whole.lines.size() - lines[block + 1];
      EXPECT_TRUE(std::equal(sink.lines.end() - static_cast<std::ptrdiff_t>(behind), sink.lines.end(),
                             whole.lines.end() - static_cast<std::ptrdiff_t>(behind)));
      EXPECT_GE(outcome->corrupt_blocks, 1u);
      EXPECT_THAT(sink.problems,
                  ElementsAre(HasSubstr("the log is damaged between bytes " + std::to_string(starts[block]) + " and " +
                                        std::to_string(starts[block + 1]))));
      EXPECT_GT(sink.holes, 0u);
    }
  }
}

// Damage to a hash loses nothing that was hashed; damage to the sums as well as to a block loses the flush.
TEST_P(DamageOf, WhatIsDamagedWithItsHashIsNotTrusted) {
  const ByteVector log = log_of_long_flushes(GetParam());
  const std::vector<size_t> starts = block_starts(log);
  const std::vector<size_t> checks = check_ends(log);
  RecordingSink whole, first;
  ASSERT_TRUE(decode_bytes(log.data(), log.size(), whole).is_ok());
  ASSERT_TRUE(decode_bytes(log.data(), checks[1], first).is_ok());
  ByteVector hash = log;
  hash[checks[1] - 1] ^= 1;
  RecordingSink sink;
  ASSERT_TRUE(decode_bytes(hash.data(), hash.size(), sink).is_ok());
  EXPECT_TRUE(sink.lines == whole.lines);
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("nothing but a hash is lost")));
  ByteVector both = log;
  const size_t check = static_cast<size_t>(std::ranges::find(starts, checks[1]) - starts.begin()) - 1;
  both[starts[check] - 1] ^= 1;  // the sums' hash
  both[starts[check - 2] + kBlockHeaderSize + 2] ^= 1;
  RecordingSink less;
  ASSERT_TRUE(decode_bytes(both.data(), both.size(), less).is_ok());
  EXPECT_LT(less.lines.size(), whole.lines.size() - first.lines.size() + 10);
  EXPECT_THAT(less.lines, testing::Contains(HasSubstr("Method0")));
}

TEST(Damage, AFileThatGrowsIsReadUpToItsLastWholeBlock) {
  const ByteVector log = sample_log();
  const std::vector<size_t> checks = check_ends(log);
  const TemporaryFile file;
  size_t lines = 0;
  for (size_t i = 1; i < checks.size(); ++i) {
    std::ofstream(file.path(), std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(log.data() + checks[i - 1]),
               static_cast<std::streamsize>(checks[i] - checks[i - 1]));
    RecordingSink sink;
    const auto outcome = decode_file(file.path(), sink);
    ASSERT_TRUE(outcome.is_ok());
    EXPECT_EQ(outcome->torn_bytes, 0u);
    EXPECT_EQ(outcome->ended, i + 1 == checks.size());
    EXPECT_GT(sink.lines.size(), lines);
    lines = sink.lines.size();
  }
}

TEST(Damage, AHoleOfZerosEndsTheLog) {
  ByteVector log = sample_log();
  const size_t size = log.size();
  log.resize(size + 4096);
  RecordingSink sink;
  const auto outcome = decode_bytes(log.data(), log.size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_EQ(outcome->torn_bytes, 4096u);
  EXPECT_TRUE(outcome->ended);
}

ByteBuilder version2_intro() { return ByteBuilder().number(2).text("scripted").number(0).number(1).number(2).byte(0); }

RecordingSink decode(const ByteBuilder& log, DecodeOutcome* told = nullptr) {
  RecordingSink sink;
  const auto outcome = decode_bytes(log.bytes().data(), log.bytes().size(), sink);
  EXPECT_TRUE(outcome.is_ok());
  if (told != nullptr && outcome.is_ok()) *told = *outcome;
  return sink;
}

TEST(Damage, UnknownBlocksAreSkippedAndSaidOnceEach) {
  ByteBuilder log;
  log.block(1, version2_intro());
  for (int i = 0; i < 3; ++i) log.block(4242, ByteBuilder().byte(1).byte(2)).block(99, ByteBuilder());
  log.block(7, ByteBuilder().number(2).number(3).number(4));
  DecodeOutcome outcome;
  const RecordingSink sink = decode(log, &outcome);
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("unknown code 4242"), HasSubstr("unknown code 99")));
  EXPECT_EQ(sink.lines.back(), "end 2 3 4");
  EXPECT_EQ(outcome.corrupt_blocks, 0u);
}

TEST(Damage, NodesThatCannotBeAreRefused) {
  const uint64_t huge = uint64_t{1} << 62;
  // An id that no log of this length can have come to; a caller that comes later; a sample of node -1.
  EXPECT_THAT(
      decode(
          ByteBuilder().block(1, version2_intro()).block(8, ByteBuilder().number(huge).number(1).number(4).number(0)))
          .problems,
      ElementsAre(HasSubstr("code 8 (stacks) is damaged")));
  EXPECT_THAT(
      decode(ByteBuilder().block(1, version2_intro()).block(8, ByteBuilder().number(1).number(2).number(4).number(0)))
          .problems,
      ElementsAre(HasSubstr("code 8 (stacks) is damaged")));
  EXPECT_THAT(decode(ByteBuilder()
                         .block(1, version2_intro())
                         .block(9, ByteBuilder().number(1).number(2).number(1).number(5).number(0)))
                  .problems,
              ElementsAre(HasSubstr("code 9 (samples) is damaged")));
}

ByteBuilder compressed(const ByteVector& raw, uint64_t raw_size) {
  ByteVector frame(ZSTD_compressBound(raw.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), raw.data(), raw.size(), 3));
  return ByteBuilder().number(raw_size).append(frame);
}

TEST(Compressed, HoldsWholeBlocks) {
  const ByteBuilder load = ByteBuilder().byte(9).number(1).number(2).number(5).text("corlib");
  const ByteBuilder inner = ByteBuilder().block(2, load).block(3, load);
  const RecordingSink sink =
      decode(ByteBuilder().block(1, version2_intro()).block(12, compressed(inner.bytes(), inner.bytes().size())));
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines, ElementsAre(testing::_, "loaded 9 1 2 5 corlib", "unloaded 9 1 2 5 corlib"));
}

TEST(Compressed, WrongSizesNestingAndBombsAreRefused) {
  const ByteBuilder load = ByteBuilder().byte(9).number(1).number(2).number(5).text("corlib");
  const ByteBuilder inner = ByteBuilder().block(2, load);
  const ByteBuilder nested = ByteBuilder().block(12, compressed(inner.bytes(), inner.bytes().size()));
  const ByteVector zeros(100'000'000), more_than_64_times(1'000'000);
  const ByteBuilder bad[] = {
      compressed(inner.bytes(), inner.bytes().size() + 1),       compressed(inner.bytes(), UINT64_MAX),
      compressed(nested.bytes(), nested.bytes().size()),         compressed(zeros, zeros.size()),
      compressed(more_than_64_times, more_than_64_times.size()), ByteBuilder().number(10).text("no zstd frame")};
  for (const ByteBuilder& block : bad) {
    const RecordingSink sink = decode(ByteBuilder().block(1, version2_intro()).block(12, block));
    EXPECT_THAT(sink.problems, testing::Contains(HasSubstr("code 12 (compressed) is damaged")));
    EXPECT_EQ(sink.lines.size(), 1u);
  }
}

}  // namespace
}  // namespace oriel::log
