// Blocks that a writer compresses say what they say uncompressed, in fewer bytes, and are as hard to lose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "log/compressed.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

RecordingSink read(const std::string& path) {
  RecordingSink sink;
  const auto outcome = decode_file(path, sink);
  EXPECT_TRUE(outcome.is_ok()) << outcome.message();
  return sink;
}

size_t count_of(Block code, const ByteVector& log) {
  return static_cast<size_t>(std::ranges::count_if(block_starts(log), [&](size_t at) {
    return at < log.size() && log[at] == static_cast<uint8_t>(code) && log[at + 1] == 0;
  }));
}

// A log with names in its second flush, and samples in its third.
void write_names(const std::string& path, bool compressed, uint32_t methods = 1'000) {
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer.is_ok());
  if (compressed) (*writer)->compress();
  (*writer)->intro(Intro());
  ASSERT_TRUE((*writer)->flush({}));
  Mapping mapping;
  for (uint32_t i = 1; i <= methods; ++i) mapping.methods.push_back({i, 0, "Method" + std::to_string(i), ""});
  (*writer)->mapping(mapping);
  std::vector<StackNode> nodes;
  for (uint32_t i = 1; i <= methods; ++i) nodes.push_back({.id = i, .parent = i - 1, .frame = i});
  (*writer)->stacks(nodes);
  (*writer)->process({.clock = {2, 2}, .user_us = 7});
  ASSERT_TRUE((*writer)->flush({}));
  std::vector<Sample> samples;
  for (uint32_t i = 1; i <= methods; ++i) samples.push_back({1'000 + i, i, 1});
  (*writer)->samples(1, samples);
  ASSERT_TRUE((*writer)->flush({}));
}

TEST(BlockPacker, WhatIsWrittenCompressedIsRead) {
  const TemporaryFile plain, compressed;
  write_sample_log(plain.path());
  write_sample_log(compressed.path(), true);
  const RecordingSink sink = read(compressed.path());
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_EQ(sink.lines, read(plain.path()).lines);
  EXPECT_LT(compressed.content().size(), plain.content().size());
  EXPECT_GT(count_of(Block::kCompressed, compressed.content()), 0u);
}

TEST(BlockPacker, WhatReadersLookForStaysOutside) {
  const TemporaryFile plain, compressed;
  write_sample_log(plain.path());
  write_sample_log(compressed.path(), true);
  for (const Block code : {Block::kIntro, Block::kCheck, Block::kEnd, Block::kCalls})
    EXPECT_EQ(count_of(code, compressed.content()), count_of(code, plain.content())) << static_cast<int>(code);
}

TEST(BlockPacker, NamesTakeAFractionOfTheirBytes) {
  const TemporaryFile plain, compressed;
  write_names(plain.path(), false);
  write_names(compressed.path(), true);
  EXPECT_EQ(read(compressed.path()).lines, read(plain.path()).lines);
  EXPECT_LT(compressed.content().size(), plain.content().size() / 2);
}

// A reader refuses a block that promises more than 64 times its bytes.
TEST(BlockPacker, WhatIsDenserThanAReaderTakesStaysAsItIs) {
  const TemporaryFile file;
  auto writer = Writer::create(file.path());
  ASSERT_TRUE(writer.is_ok());
  (*writer)->compress();
  (*writer)->intro(Intro());
  (*writer)->samples(1, std::vector<Sample>(100'000, Sample{5, 0, 1}));
  ASSERT_TRUE((*writer)->flush({}));
  const RecordingSink sink = read(file.path());
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_EQ(sink.samples.size(), 100'000u);
}

// As with plain blocks, damage costs what it hit and not the names beside it.
TEST(BlockPacker, NamesBesideDamageAreRead) {
  const TemporaryFile file;
  write_names(file.path(), true);
  ByteVector log = file.content();
  const std::vector<size_t> blocks = block_starts(log);
  const auto packed = std::ranges::find_if(blocks, [&](size_t at) { return log[at] == 12; });
  ASSERT_NE(packed, blocks.end());
  const size_t check = *(packed + 1);
  log[check + 18] ^= 0xff;  // the count or hash of the check block behind it
  const TemporaryFile damaged(log);
  const RecordingSink sink = read(damaged.path());
  EXPECT_THAT(sink.problems, Not(IsEmpty()));
  EXPECT_THAT(sink.lines, Contains(line("method", 7, 0, "Method7", "raw", "")));
  EXPECT_EQ(sink.samples.size(), 1'000u);  // of the flush behind it
}

// What follows in the log needs names and nodes.
TEST(BlockPacker, DamageToEventsCostsNoNames) {
  const TemporaryFile file;
  auto writer = Writer::create(file.path());
  ASSERT_TRUE(writer.is_ok());
  (*writer)->compress();
  (*writer)->intro(Intro());
  Mapping mapping;
  for (uint32_t i = 1; i <= 100; ++i) mapping.methods.push_back({i, 0, "Method" + std::to_string(i), ""});
  (*writer)->mapping(mapping);
  (*writer)->samples(1, std::vector<Sample>(1'000, Sample{5, 0, 1}));
  ASSERT_TRUE((*writer)->flush({}));
  ByteVector log = file.content();
  std::vector<size_t> blocks = block_starts(log);
  blocks.pop_back();
  const auto of_samples =
      std::ranges::find_if(blocks.rbegin(), blocks.rend(), [&](size_t at) { return log[at] == 12 || log[at] == 9; });
  ASSERT_NE(of_samples, blocks.rend());
  log[*of_samples + 20] ^= 0xff;
  const RecordingSink sink = read(TemporaryFile(log).path());
  EXPECT_THAT(sink.problems, Not(IsEmpty()));
  EXPECT_THAT(sink.lines, Contains(line("method", 7, 0, "Method7", "raw", "")));
}

// A frame has a checksum of its own: what was changed is not taken for names.
TEST(BlockPacker, ADamagedFrameTellsNoNames) {
  const TemporaryFile file;
  write_names(file.path(), true);
  ByteVector log = file.content();
  const std::vector<size_t> blocks = block_starts(log);
  const auto packed = std::ranges::find_if(blocks, [&](size_t at) { return log[at] == 12; });
  ASSERT_NE(packed, blocks.end());
  log[(*packed + *(packed + 1)) / 2] ^= 1;
  const TemporaryFile damaged(log);
  const RecordingSink sink = read(damaged.path());
  EXPECT_THAT(sink.problems, Not(IsEmpty()));
  EXPECT_THAT(sink.lines, Not(Contains(testing::StartsWith("method "))));
}

}  // namespace
}  // namespace oriel::log
