// Version 1, each block and each event code, and what version 2 changes of them: from bytes written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/byte_builder.h"
#include "log/recording_sink.h"

namespace oriel::log {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

ByteBuilder intro(uint64_t version = 1) {
  ByteBuilder bytes;
  bytes.number(version).text("earlier runtime").number(3).number(1000).number(1'600'000'000'000'000);
  return version == 1 ? bytes : bytes.byte(0);  // no properties
}

RecordingSink decode(const ByteBuilder& log) {
  RecordingSink sink;
  const auto outcome = decode_bytes(log.bytes().data(), log.bytes().size(), sink);
  EXPECT_TRUE(outcome.is_ok()) << outcome.message();
  EXPECT_FALSE(sink.lines.empty());
  if (!sink.lines.empty()) sink.lines.erase(sink.lines.begin());  // the intro, in each
  return sink;
}

// An events block of thread 5, base 10000, around `stream`.
ByteBuilder events_block(const ByteBuilder& stream) {
  ByteBuilder block;
  block.number(1).number(2).number(5).number(10'000).append(stream.bytes());
  return block.byte(0).number(3).number(4);
}

RecordingSink decode_events(const ByteBuilder& stream, uint64_t version = 1) {
  return decode(ByteBuilder().block(1, intro(version)).block(5, events_block(stream)));
}

TEST(Version1, Intro) {
  const ByteBuilder log = ByteBuilder().block(1, intro());
  RecordingSink sink;
  const auto outcome = decode_bytes(log.bytes().data(), log.bytes().size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_THAT(sink.lines, ElementsAre("intro 1 earlier runtime 3 1000 1600000000000000"));
  EXPECT_FALSE(outcome->ended);
  EXPECT_EQ(outcome->blocks, 1u);
  EXPECT_EQ(outcome->torn_bytes, 0u);
}

TEST(Version1, LoadedAndUnloaded) {
  const ByteBuilder load = ByteBuilder().byte(9).number(100).number(256).number(5).text("corlib");
  EXPECT_THAT(decode(ByteBuilder().block(1, intro()).block(2, load).block(3, load)).lines,
              ElementsAre("loaded 9 100 256 5 corlib", "unloaded 9 100 256 5 corlib"));
}

TEST(Version1, MappingWithIdsThatBeginWithAZeroByte) {
  ByteBuilder mapping;
  mapping.number(1).number(2).number(5);
  mapping.number(128).text("System.Object").number(16'384).text("A.B").number(0);
  mapping.number(256).number(128).text("ToString").number(7).number(16'384).text("Run").number(0);
  mapping.number(3).number(4);
  const RecordingSink sink = decode(ByteBuilder().block(1, intro()).block(4, mapping));
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines, ElementsAre("class 128 0 0 System.Object", "class 16384 0 0 A.B",
                                      "method 256 128 ToString raw ", "method 7 16384 Run raw "));
  ASSERT_EQ(sink.clocks.size(), 3u);
  EXPECT_EQ(sink.clocks[2].counter, 3u);
  EXPECT_EQ(sink.clocks[2].unix_us, 4u);
}

TEST(Version1, Statistical) {
  ByteBuilder hits;
  hits.number(50).number(128).number(3).number(256).number(0).number(640).number(0).number(60);
  EXPECT_THAT(decode(ByteBuilder().block(1, intro()).block(6, hits)).lines,
              ElementsAre("statistical 50 60 methods 128 3 256 natives 640"));
}

TEST(Version1, End) {
  const ByteBuilder log =
      ByteBuilder().block(1, intro()).block(7, ByteBuilder().number(1).number(9000).number(1'600'000'000'500'000));
  RecordingSink sink;
  const auto outcome = decode_bytes(log.bytes().data(), log.bytes().size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_TRUE(outcome->ended);
  EXPECT_EQ(sink.lines.back(), "end 1 9000 1600000000500000");
}

// Packed codes 1–4: id's low five bits in the code byte, the rest in the main INT.
TEST(Version1, EnterLeaveAndAllocation) {
  ByteBuilder stream;
  const auto packed = [&](unsigned code, uint64_t id, uint64_t second) {
    stream.byte(code | (id & 31) << 3).number(id >> 5).number(second);
  };
  packed(1, 4095, 127);  // three bytes
  EXPECT_EQ(stream.bytes().size(), 3u);
  packed(1, 4096, 128);  // its main INT is 128, and begins with a zero byte
  packed(4, 32, 24);     // takes no time
  packed(2, 4096, 1);
  packed(3, 4095, 2);
  const RecordingSink sink = decode_events(stream);
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines,
              ElementsAre("event 110 thread 5 at 10127 values 4095", "event 110 thread 5 at 10255 values 4096",
                          "event 114 thread 5 at 10255 values 32 24", "event 111 thread 5 at 10256 values 4096",
                          "event 111 thread 5 at 10258 values 4095"));
}

TEST(Version1, MethodAndClassEvents) {
  ByteBuilder stream;
  const auto event = [&](unsigned code, uint64_t id) { stream.byte(code).number(id).number(10); };
  event(5, 128);         // compiled
  event(5 | 0x20, 129);  // and failed
  event(5 | 0x08, 130);  // freed
  event(6, 1);           // loaded
  event(6 | 0x20, 2);    // failed to
  event(6 | 0x08, 3);    // unloaded
  event(6 | 0x10, 4);    // exception
  const RecordingSink sink = decode_events(stream);
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines,
              ElementsAre("event 1003 thread 5 at 10010 values 128 0", "event 1003 thread 5 at 10020 values 129 1",
                          "event 1004 thread 5 at 10030 values 130 0", "event 1005 thread 5 at 10040 values 1 0",
                          "event 1005 thread 5 at 10050 values 2 1", "event 1006 thread 5 at 10060 values 3 0",
                          "event 1007 thread 5 at 10070 values 4 0"));
}

TEST(Version1, OtherEvents) {
  ByteBuilder stream;
  std::vector<std::string> expected;
  const uint32_t numbers[] = {Event::kThreadStart,  Event::kThreadEnd,   Event::kGcStart,
                              Event::kGcEnd,        Event::kGcMarkStart, Event::kGcMarkEnd,
                              Event::kGcSweepStart, Event::kGcSweepEnd,  Event::kGcResize};
  uint64_t at = 10'000;
  for (unsigned i = 0; i < 9; ++i) {
    stream.byte(7 | (i / 2 + 1) << 3 | (i % 2) << 7).number(i * 128).number(5);
    expected.push_back(line("event", numbers[i], "thread 5 at", at += 5, "values", i * 128));
  }
  const RecordingSink sink = decode_events(stream);
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines, ElementsAreArray(expected));
}

TEST(Version1, CodesThatItDoesNotHaveEndTheirBlockOnly) {
  for (const unsigned code : {8u, 0x1eu, 7u, 7u | 6 << 3}) {
    const ByteBuilder bad = ByteBuilder().byte(1 | 2 << 3).number(0).number(1).byte(code).number(1).number(1);
    const ByteBuilder good = ByteBuilder().byte(1 | 3 << 3).number(0).number(1);
    const ByteBuilder log = ByteBuilder().block(1, intro()).block(5, events_block(bad)).block(5, events_block(good));
    const RecordingSink sink = decode(log);
    EXPECT_THAT(sink.lines, ElementsAre("event 110 thread 5 at 10001 values 2", "event 110 thread 5 at 10001 values 3"))
        << code;
    EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("a block of code 5 (events) is damaged"))) << code;
  }
}

TEST(Version1, BlocksOfVersion2AreUnknownToIt) {
  const ByteBuilder log = ByteBuilder().block(1, intro()).block(8, ByteBuilder().byte(1)).block(8, ByteBuilder());
  const RecordingSink sink = decode(log);
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("unknown code 8")));
}

TEST(Version2, ImplicitExitsTakeTheTopOfTheirThreadsStack) {
  ByteBuilder stream;
  for (const unsigned id : {1u, 2u, 3u}) stream.byte(1 | id << 3).number(0).number(1);
  stream.byte(2).number(1);           // 3, normally
  stream.byte(2 | 1 << 3).number(1);  // 2, by exception
  stream.byte(1 | 9 << 3).number(0).number(1);
  stream.byte(3 | 1 << 3).number(0).number(1);  // 1, said: 9 left unseen
  stream.byte(2 | 2 << 3).number(1);            // none is known
  const RecordingSink sink = decode_events(stream, 2);
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(std::vector(sink.lines.begin() + 3, sink.lines.end()),
              ElementsAre("event 111 thread 5 at 10004 values 3", "event 113 thread 5 at 10005 values 2",
                          "event 110 thread 5 at 10006 values 9", "event 111 thread 5 at 10007 values 1",
                          "event 112 thread 5 at 10008 values 0"));
}

TEST(Version2, ReservedWaysToLeaveAreRefused) {
  const RecordingSink sink = decode_events(ByteBuilder().byte(2 | 3 << 3).number(1), 2);
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("a block of code 5 (events) is damaged")));
}

TEST(Version2, AllocationsOfClassesWithAFixedSizeOmitIt) {
  ByteBuilder mapping;
  mapping.number(1).number(2).number(5);
  mapping.number(1).text("Point").number(24).number(0).number(2).text("System.String").number(0).number(0).number(0);
  for (int section = 0; section < 5; ++section) mapping.number(0);
  mapping.number(3).number(4);
  const ByteBuilder stream =
      ByteBuilder().byte(4 | 1 << 3).number(0).byte(4 | 2 << 3).number(0).number(80).byte(4 | 1 << 3).number(0);
  const ByteBuilder unknown_class = ByteBuilder().byte(4 | 3 << 3).number(0);
  const RecordingSink sink = decode(ByteBuilder()
                                        .block(1, intro(2))
                                        .block(4, mapping)
                                        .block(5, events_block(stream))
                                        .block(5, events_block(unknown_class)));
  EXPECT_THAT(
      sink.lines,
      ElementsAre("class 1 24 0 Point", "class 2 0 0 System.String", "event 114 thread 5 at 10000 values 1 24 0 0",
                  "event 114 thread 5 at 10000 values 2 80 0 0", "event 114 thread 5 at 10000 values 1 24 0 0"));
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("a block of code 5 (events) is damaged")));
}

TEST(Version2, UnknownEventsAreSkippedAndSaidOnce) {
  ByteBuilder stream;
  for (int i = 0; i < 3; ++i) stream.byte(8).number(999).number(2).number(4).byte(0).byte(8).byte(1).byte(2);
  stream.byte(8).number(1).number(1).number(0);
  const RecordingSink sink = decode(ByteBuilder().block(1, intro(2)).block(5, events_block(stream)));
  EXPECT_THAT(sink.lines, ElementsAre("event 1 thread 5 at 10007 values"));
  EXPECT_THAT(sink.problems, ElementsAre(HasSubstr("unknown number 999")));
}

TEST(Version2, FieldsThatAnEarlierVersionDidNotWriteAreNotThere) {
  ByteBuilder stream;  // exception_clause of API version 1: method, kind, exception
  stream.byte(8).number(91).number(2).number(3).number(5).number(2).number(0);
  const RecordingSink sink = decode(ByteBuilder().block(1, intro(2)).block(5, events_block(stream)));
  EXPECT_THAT(sink.lines, ElementsAre("event 91 thread 5 at 10002 values 5 2 0"));
  EXPECT_TRUE(sink.problems.empty());
}

TEST(Version2, FieldsThatALaterVersionAddsAreSkipped) {
  const ByteBuilder stream = ByteBuilder().byte(8).number(50).number(2).number(3).number(7).byte(1).byte(2);
  const RecordingSink sink = decode(ByteBuilder().block(1, intro(2)).block(5, events_block(stream)));
  EXPECT_THAT(sink.lines, ElementsAre("event 50 thread 5 at 10002 values 7"));
  EXPECT_THAT(sink.problems, IsEmpty());
}

TEST(Decoder, StringsComeOutAsUtf8) {
  const ByteBuilder load = ByteBuilder().byte(9).number(1).number(2).number(5).text("gr\xc3\xb6\xdf\x65 \xed\xa0\x80");
  EXPECT_THAT(decode(ByteBuilder().block(1, intro()).block(2, load)).lines,
              ElementsAre("loaded 9 1 2 5 gr\xc3\xb6\xef\xbf\xbd\x65 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
}

}  // namespace
}  // namespace oriel::log
