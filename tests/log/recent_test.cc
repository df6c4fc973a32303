#include "log/recent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "recording_sink.h"
#include "sample_log.h"

namespace oriel::log {
namespace {

using First = RecentLog::First;

std::vector<std::string> decoded(const ByteVector& bytes) {
  RecordingSink sink;
  const Result<DecodeOutcome> outcome = decode_bytes(bytes.data(), bytes.size(), sink);
  EXPECT_TRUE(outcome && outcome->corrupt_blocks == 0 && outcome->torn_bytes == 0);
  EXPECT_TRUE(sink.problems.empty());
  return sink.lines;
}

// Those of the lines that begin with one of the words.
std::vector<std::string> only(const std::vector<std::string>& lines, const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (const std::string& line : lines)
    if (std::ranges::any_of(words, [&](const std::string& word) { return line.starts_with(word + " "); }))
      kept.push_back(line);
  return kept;
}

const std::vector<std::string> kNames = {"intro", "property", "image", "class", "method", "native", "thread", "node"};
const std::vector<std::string> kRecords = {"event", "sample", "compiling"};

TEST(RecentLog, HasAllOfALogHoweverItComes) {
  const ByteVector log = sample_log();
  for (const size_t piece : {log.size(), size_t{7}, size_t{1}}) {
    RecentLog recent(1, First::kIsRecent);
    for (size_t at = 0; at < log.size(); at += piece)
      ASSERT_TRUE(recent.add({log.data() + at, std::min(piece, log.size() - at)}, 2));
    EXPECT_TRUE(recent.has_ended());
    EXPECT_EQ(recent.since_ns(), 1);
    const std::vector<std::string> whole = decoded(log), lines = decoded(recent.bytes());
    EXPECT_EQ(only(lines, kNames), only(whole, kNames));
    EXPECT_EQ(only(lines, kRecords), only(whole, kRecords));
    EXPECT_FALSE(only(lines, kRecords).empty());
  }
}

TEST(RecentLog, ForgetsWhatWasRecordedButNoNames) {
  const ByteVector log = sample_log();
  RecentLog recent(1, First::kIsRecent);
  ASSERT_TRUE(recent.add(log, 2));
  ASSERT_TRUE(recent.add({}, 3));
  recent.forget_until(2);
  EXPECT_EQ(recent.since_ns(), 2);
  const std::vector<std::string> lines = decoded(recent.bytes());
  EXPECT_EQ(only(lines, kNames), only(decoded(log), kNames));
  EXPECT_TRUE(only(lines, kRecords).empty());
}

TEST(RecentLog, ThePastIsNamesOnly) {
  const ByteVector log = sample_log();
  const size_t half = block_starts(log)[block_starts(log).size() / 2];
  RecentLog recent(1, First::kIsPast);
  ASSERT_TRUE(recent.add({log.data(), half}, 2));
  EXPECT_TRUE(only(decoded(recent.bytes()), kRecords).empty());
  ASSERT_TRUE(recent.add({log.data() + half, log.size() - half}, 3));
  const std::vector<std::string> lines = decoded(recent.bytes());
  EXPECT_EQ(only(lines, kNames), only(decoded(log), kNames));
}

TEST(RecentLog, DamagedFlushesAreLeftOut) {
  ByteVector log = sample_log();
  const std::vector<size_t> starts = block_starts(log);
  const size_t last = starts[starts.size() - 2];
  log[last - 3] ^= 0xff;
  RecentLog recent(1, First::kIsRecent);
  ASSERT_TRUE(recent.add(log, 2));
  decoded(recent.bytes());  // has no problems
}

TEST(RecentLog, WhatIsNoLogIsRefused) {
  RecentLog recent(1, First::kIsRecent);
  EXPECT_TRUE(recent.add({}, 2));
  EXPECT_TRUE(recent.bytes().empty());
  const ByteVector noise = {'n', 'o', 1, 0, 0, 0, 7, 7, 7};
  EXPECT_FALSE(recent.add(noise, 3));
}

}  // namespace
}  // namespace oriel::log
