// A log as version 1 of the format: what it has of each kind, and that the rest is counted.
#include "log/version1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/byte_builder.h"
#include "log/event_stream.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

struct Converted {
  std::vector<std::string> lines, problems;
  Version1Outcome outcome;
  std::vector<std::string> left_out;  // "2 thread's name"
};

Converted convert(const std::string& path) {
  const TemporaryFile to;
  const auto outcome = write_version1(path, to.path());
  EXPECT_TRUE(outcome.is_ok()) << outcome.message();
  if (!outcome) return {};
  RecordingSink sink;
  EXPECT_TRUE(decode_file(to.path(), sink).is_ok());
  Converted converted{sink.lines, sink.problems, *outcome, {}};
  for (const LeftOut& left : outcome->left_out) converted.left_out.push_back(line(left.count, left.many));
  return converted;
}

ClassName klass(uint64_t id, const std::string& name, uint64_t size) { return {id, size, 0, name}; }

std::unique_ptr<Writer> begun(const TemporaryFile& file) {
  auto writer = Writer::create(file.path());
  EXPECT_TRUE(writer.is_ok());
  Intro intro;
  intro.runtime = "CoreCLR";
  intro.clock = {1000, 5};
  intro.properties = {{"pid", "1"}, {"host", "here"}};
  (*writer)->intro(intro);
  Mapping names;
  names.start = names.end = {1000, 5};
  names.classes = {klass(32, "Shop.Cart", 24), klass(128, "Gr\xc3\xb6\xc3\x9f\x65", 0)};
  names.methods = {{4096, 32, "Run()", "Shop.Cart+<Run>d__1.MoveNext()"}, {3, 0, "Dynamic", ""}};
  names.natives = {{7, 0, "[waiting]"}, {8, 0, "memcpy"}};
  names.threads = {{5, 50, true, "main"}};
  (*writer)->mapping(names);
  return std::move(*writer);
}

void end(Writer& writer) {
  writer.end({kVersion2, {9000, 50}});
  ASSERT_TRUE(writer.flush({}).is_ok());
  writer.close();
}

TEST(Version1Writer, NamesCallsAndAllocations) {
  const TemporaryFile file;
  const auto writer = begun(file);
  const CallRecord records[] = {
      {CallKind::kEnter, 4096, 2000},         {CallKind::kSite, 4096, 0},       {CallKind::kAllocation, 32, 0},
      {CallKind::kAllocation, 128, 80},       {CallKind::kEnter, 3, 2001},      {CallKind::kTimed, 0, 12},
      {CallKind::kLeaveByException, 3, 2300}, {CallKind::kLeave, 4096, 1000000}};
  writer->calls(5, 1999, records);
  end(*writer);
  const Converted converted = convert(file.path());
  EXPECT_THAT(converted.problems, IsEmpty());
  EXPECT_THAT(
      converted.lines,
      ElementsAre("intro 1 CoreCLR 0 1000 5", "class 32 0 0 Shop.Cart", "class 128 0 0 Gr??e",
                  "method 4096 32 Run() raw ", "method 3 0 Dynamic raw ", "event 110 thread 5 at 2000 values 4096",
                  "event 114 thread 5 at 2000 values 32 24", "event 114 thread 5 at 2000 values 128 80",
                  "event 110 thread 5 at 2001 values 3", "event 111 thread 5 at 2300 values 3",
                  "event 111 thread 5 at 1000000 values 4096", "end 1 9000 50"));
  EXPECT_EQ(converted.outcome.events, 6u);
  EXPECT_THAT(converted.left_out, ElementsAre("2 allocations' methods", "1 ends of calls by exceptions or tail calls",
                                              "1 measures of time between calls", "1 names' letters that are not ASCII",
                                              "1 methods' names in metadata", "2 properties of the run",
                                              "2 native functions' names", "1 threads' names"));
}

TEST(Version1Writer, SamplesAreHitsOfTheirInnermostFunctions) {
  const TemporaryFile file;
  const auto writer = begun(file);
  const StackNode nodes[] = {{1, 0, FrameKind::kManaged, 4096, false, 3},
                             {2, 1, FrameKind::kNative, 8, false, kNoIl},
                             {3, 1, FrameKind::kNative, 7, false, kNoIl}};
  writer->stacks(nodes);
  const Sample samples[] = {{2000, 1, 1}, {2100, 2, 3}, {2200, 3, 1}, {2300, 0, 1}, {2400, 1, 1u << 20}};
  writer->samples(5, samples);
  end(*writer);
  const Converted converted = convert(file.path());
  std::string hits;
  for (int i = 0; i < 64; ++i) hits += " 4096";
  EXPECT_THAT(converted.lines, Contains("statistical 2000 2400 methods 4096" + hits + " natives 8 8 8"));
  EXPECT_EQ(converted.outcome.hits, 64u + 4);
  EXPECT_THAT(converted.left_out, Contains("1 samples of threads that wait"));
  EXPECT_THAT(converted.left_out, Contains("1 samples without a stack"));
  EXPECT_THAT(converted.left_out, Contains(line((1u << 20) - 64, "periods of samples that stand for more than 64")));
}

TEST(Version1Writer, EveryKindOfRecordIsWrittenOrCounted) {
  const TemporaryFile file(sample_log());
  const Converted converted = convert(file.path());
  EXPECT_THAT(converted.problems, IsEmpty());
  EXPECT_THAT(converted.left_out, Not(Contains(testing::HasSubstr("records of other kinds"))));
  for (const char* what : {"coverage", "call graphs", "options", "losses", "counters", "events of "})
    EXPECT_THAT(converted.left_out, Contains(testing::HasSubstr(what)));
}

TEST(Version1Writer, WhatIsCutOrDamagedIsCounted) {
  ByteVector log = sample_log();
  log.resize(log.size() - 3);
  const TemporaryFile cut(log);
  EXPECT_THAT(convert(cut.path()).left_out, Contains(testing::HasSubstr("bytes behind the last whole block")));
  log[log.size() / 2] ^= 0xff;
  const TemporaryFile damaged(log);
  const Converted converted = convert(damaged.path());
  EXPECT_THAT(converted.left_out, Contains(testing::HasSubstr("damaged blocks")));
  EXPECT_THAT(converted.problems, IsEmpty());
}

// What version 1 has of events that only it has stays, and a second time changes nothing.
TEST(Version1Writer, Version1ItselfStays) {
  ByteBuilder stream;
  stream.byte(1 | 5 << 3).number(0).number(10).byte(3 | 5 << 3).number(0).number(20);
  for (const unsigned code : {5u, 5 | 0x20u, 5 | 0x08u, 6u, 6 | 0x08u, 6 | 0x10u, 6 | 0x20u})
    stream.byte(code).number(128).number(1);
  for (unsigned i = 0; i < 9; ++i) stream.byte(7 | (i / 2 + 1) << 3 | (i % 2) << 7).number(i * 128).number(5);
  const ByteBuilder intro = ByteBuilder().number(1).text("old").number(3).number(1000).number(5);
  const ByteBuilder events =
      ByteBuilder().number(1000).number(5).number(5).number(1000).append(stream.bytes()).byte(0).number(2000).number(6);
  const ByteBuilder hits = ByteBuilder().number(50).number(128).number(0).number(640).number(0).number(60);
  const ByteBuilder load = ByteBuilder().byte(9).number(100).number(256).number(5).text("corlib");
  const ByteBuilder end = ByteBuilder().number(1).number(9000).number(7);
  const ByteBuilder log =
      ByteBuilder().block(1, intro).block(2, load).block(5, events).block(6, hits).block(3, load).block(7, end);
  const TemporaryFile file(log.bytes());
  RecordingSink sink;
  ASSERT_TRUE(decode_file(file.path(), sink).is_ok());
  const Converted converted = convert(file.path());
  EXPECT_THAT(converted.lines, testing::UnorderedElementsAreArray(sink.lines));
  EXPECT_THAT(converted.left_out, IsEmpty());
}

TEST(Version1Writer, LongLogsAreWrittenInBlocksOfLimitedSize) {
  const TemporaryFile file;
  const auto writer = begun(file);
  std::vector<CallRecord> records;
  uint64_t counter = 2000;
  for (int i = 0; i < 300'000; ++i)
    records.push_back({i % 2 == 0 ? CallKind::kEnter : CallKind::kLeave, 4096, counter += 7});
  writer->calls(5, 2000, records);
  end(*writer);
  const TemporaryFile to;
  ASSERT_TRUE(write_version1(file.path(), to.path()).is_ok());
  const ByteVector bytes = to.content();
  const std::vector<size_t> starts = block_starts(bytes);
  for (size_t i = 1; i < starts.size(); ++i) EXPECT_LE(starts[i] - starts[i - 1], 300'000u);
  RecordingSink sink;
  ASSERT_TRUE(decode_file(to.path(), sink).is_ok());
  EXPECT_THAT(sink.lines, Contains(line("event 111 thread 5 at", counter, "values 4096")));
}

}  // namespace
}  // namespace oriel::log
