// A log that is larger than the windows in which files are read is read as it is from memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

// Many logs, one behind the other: each begins after a check block. That has two damaged stretches and a torn end.
ByteVector large_log() {
  const ByteVector one = sample_log();
  constexpr size_t kBytes = 20u << 20;
  ByteVector log;
  while (log.size() < kBytes) log.insert(log.end(), one.begin(), one.end());
  log[log.size() / 3] ^= 0x10;
  log[log.size() / 2] ^= 0x10;
  log.resize(log.size() - 9);
  return log;
}

TEST(Windows, AFileIsReadAsTheSameBytesInMemory) {
  const ByteVector log = large_log();
  const TemporaryFile file(log);
  RecordingSink from_file, from_memory;
  const auto of_file = decode_file(file.path(), from_file);
  const auto of_memory = decode_bytes(log.data(), log.size(), from_memory);
  ASSERT_TRUE(of_file.is_ok() && of_memory.is_ok());
  EXPECT_TRUE(from_file.lines == from_memory.lines);
  EXPECT_EQ(from_file.problems, from_memory.problems);
  EXPECT_GE(from_file.problems.size(), 2u);
  EXPECT_EQ(of_file->blocks, of_memory->blocks);
  EXPECT_EQ(of_file->bytes, log.size());
  EXPECT_EQ(of_file->torn_bytes, of_memory->torn_bytes);
  EXPECT_EQ(of_file->corrupt_blocks, of_memory->corrupt_blocks);
}

}  // namespace
}  // namespace oriel::log
