// Logs of earlier writers, kept as they were written, are read as they were then.
//
// kept/with-calls-in-events.oriel is sample_log() of the last writer that put calls and allocations into events blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "log/recording_sink.h"
#include "log/sample_log.h"
#include "paths.h"

namespace oriel::log {
namespace {

std::vector<std::string> lines_of(const ByteVector& log) {
  RecordingSink sink;
  EXPECT_TRUE(decode_bytes(log.data(), log.size(), sink).is_ok());
  EXPECT_THAT(sink.problems, ::testing::IsEmpty());
  return sink.lines;
}

ByteVector kept(const std::string& name) {
  std::ifstream file(std::string(test_paths::kept_logs) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(KeptLogs, CallsInEventsBlocks) {
  EXPECT_THAT(lines_of(kept("with-calls-in-events.oriel")), ::testing::ElementsAreArray(lines_of(sample_log())));
}

}  // namespace
}  // namespace oriel::log
