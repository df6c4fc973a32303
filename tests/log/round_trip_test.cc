// What the writer writes, the decoder reads: every record, every event of events.def.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "log/recording_sink.h"
#include "log/sample_log.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RoundTrip, EveryRecord) {
  const TemporaryFile file;
  write_sample_log(file.path());
  RecordingSink sink;
  const auto outcome = decode_file(file.path(), sink);
  ASSERT_TRUE(outcome.is_ok()) << outcome.message();
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(
      sink.lines,
      ElementsAre(
          "intro 2 scripted 1.0 5 1000 1700000000000000", "property command dotnet größe.dll --x", "property pid 4711",
          "property empty ", "class 1 24 3 Shop.Cart", "class 128 0 0 System.String",
          "method 1 1 AddAsync(System.String, int) raw Shop.Cart+<AddAsync>d__3.MoveNext()",
          "method 256 0 (dynamic) raw ", "image 3 shop.dll /srv/shop.dll Shop", "library 1 /usr/lib/libc.so.6",
          "native 1 1 memcpy", "native 384 0 ", "thread 1 4711 1 main", "thread 2 4712 0 ", "origin 3 1 Shop",
          "definition 1 3 17", "symbols 3 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa /src/Shop.pdb", "box 1 9",
          "box 1 300", "unoptimized 3", "loaded 9 1500 1600 1 shop.dll", "unloaded 9 1500 1600 1 shop.dll",
          "event 62 thread 1 at 2000 values 1 6 'worker'", "event 1 thread 1 at 2010 values",
          "event 110 thread 1 at 2100 values 1", "event 114 thread 1 at 2100 values 1 24 0 1",
          "event 110 thread 1 at 2400 values 256", "event 114 thread 1 at 2400 values 128 80 0 1",
          "event 113 thread 1 at 2500 values 256", "event 112 thread 1 at 2600 values 1",
          "event 1017 thread 1 at 2600 values 7", "event 113 thread 1 at 2700 values 256",
          "node 1 parent 0 kind 1 frame 384 1", "node 2 parent 1 kind 0 frame 1 0",
          "node 3 parent 1 kind 0 frame 256 0", "node 3 il 300", "sample 2 at 5000 node 2 periods 1",
          "sample 2 at 5000 node 0 periods 1", "sample 2 at 9000000 node 3 periods 7",
          "compiling 2 at 5000 method 256 0 periods 1", "compiling 2 at 9000000 method 1 1 periods 7",
          "event 115 thread 2 at 9000010 values 1 24 102412 stack 2", "event 1 thread 2 at 9000011 values",
          "event 115 thread 2 at 9000012 values 1 24 102412 stack 2",
          "event 115 thread 2 at 9000013 values 1 24 102412", "event 114 thread 2 at 9000020 values 1 24 0 256 stack 3",
          "event 114 thread 2 at 9000020 values 1 24 0 256", "call graph 2 thread 1 1 at 9000050 1 2 3",
          "call node 1 parent 0 method 1 runs 1 8000000 0 0",
          "call node 2 parent 1 method 256 ended 300 7000000 4 5 class 1 10 240 class 128 1 64",
          "call node 3 parent 1 method 1 ended 0 0 0 0", "call timing 2 8 200 1 5000000 1000",
          "call timing 3 0 0 2 9000 0", "coverage Shop.Tests.Adds 3 1",
          "covered image 1 shop.dll /srv/shop.dll bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa /src/Shop.pdb",
          "covered image 2 (dynamic)  cccccccccccccccccccccccccccccccc  ", "covered 1 17 ", "run 0 0 5",
          "outcome 9 0 0", "outcome 9 1 5", "run 11 0 300", "covered 2 1 Made.Run()", "run 0 0 0", "covered 1 18 ",
          "process 9000100 1700000000003000 12000 3000 65536", "counter instrumentation.instrumented 300",
          "counter instrumentation.no IL 0", "options 9000200 1700000000003100 log 1 hz=100,calls=Shop.*",
          "property calls Shop.*", "options 9000300 1700000000003200 log 0 ", "lost buffer-full 3",
          "lost thread-ended 0", "end 2 9100000 1700000000004000", "lost buffer-full 3", "lost thread-ended 0"));
  EXPECT_TRUE(outcome->ended);
  EXPECT_EQ(outcome->bytes, file.content().size());
  EXPECT_EQ(outcome->blocks, block_starts(file.content()).size() - 1);
  EXPECT_EQ(outcome->torn_bytes, 0u);
  EXPECT_EQ(outcome->corrupt_blocks, 0u);
}

TEST(RoundTrip, EveryClockIsTold) {
  const ByteVector log = sample_log();
  RecordingSink sink;
  ASSERT_TRUE(decode_bytes(log.data(), log.size(), sink).is_ok());
  const auto told = [&](uint64_t counter, uint64_t us) {
    return std::any_of(sink.clocks.begin(), sink.clocks.end(),
                       [&](const ClockPair& pair) { return pair.counter == counter && pair.unix_us == us; });
  };
  EXPECT_TRUE(told(1000, 1'700'000'000'000'000));  // intro
  EXPECT_TRUE(told(1100, 1'700'000'000'000'100));  // mapping, both
  EXPECT_TRUE(told(1200, 1'700'000'000'000'200));
  EXPECT_TRUE(told(9'000'100, 1'700'000'000'003'000));  // process
  EXPECT_TRUE(told(9'000'200, 1'700'000'000'003'100));  // options
  EXPECT_TRUE(told(9'100'000, 1'700'000'000'004'000));  // end
  EXPECT_EQ(sink.clocks.size(), 13u);                   // and two of each events block, one of each calls block
}

// One value for each field, telling one field from the next.
uint64_t value_for(FieldKind kind, size_t index) {
  switch (kind) {
    case FieldKind::kAddress:
      return 0x7fff'0000'1280 + index;
    case FieldKind::kBytes:
    case FieldKind::kNanoseconds:
      return UINT64_MAX - index;
    case FieldKind::kFlag:
    case FieldKind::kGcEvent:
    case FieldKind::kGcReason:
    case FieldKind::kGcRoots:
    case FieldKind::kSuspendReason:
    case FieldKind::kClauseKind:
      return 1;
    default:
      return 128 * (index + 1);
  }
}

struct EncodedEvent {
  ByteVector fields;
  std::string expected;
};

EncodedEvent encode_sample(const EventDescription& event, uint64_t counter) {
  ByteVector bytes(kMaxFields * kMaxFieldBytes);
  uint8_t* end = bytes.data();
  EncodedEvent encoded;
  encoded.expected = line("event", event.number, "thread", 7, "at", counter, "values");
  std::string text;
  for (size_t i = 0; i < event.fields.size(); ++i) {
    const FieldKind kind = event.fields[i].kind;
    if (kind == FieldKind::kContext) {
      encoded.expected += " 0";
    } else if (kind == FieldKind::kText) {
      end = encode_field(end, "näme");
      encoded.expected += " 5";
      text = " 'näme'";
    } else {
      end = encode_field(end, value_for(kind, i));
      encoded.expected += " " + std::to_string(value_for(kind, i));
    }
  }
  encoded.expected += text;
  bytes.resize(static_cast<size_t>(end - bytes.data()));
  encoded.fields = bytes;
  return encoded;
}

TEST(RoundTrip, EveryEvent) {
  std::vector<EncodedEvent> encoded;
  std::vector<RawEvent> events;
  uint64_t counter = 1'000'000;
  for (const EventDescription& event : all_events()) encoded.push_back(encode_sample(event, counter += 300));
  counter = 1'000'000;
  for (size_t i = 0; i < encoded.size(); ++i) {
    events.push_back({counter += 300, all_events()[i].number, encoded[i].fields});
  }
  const TemporaryFile file;
  {
    auto writer = Writer::create(file.path());
    ASSERT_TRUE(writer.is_ok());
    (*writer)->intro({});
    (*writer)->events(7, events);
    ASSERT_TRUE((*writer)->flush({}).is_ok());
  }
  RecordingSink sink;
  ASSERT_TRUE(decode_file(file.path(), sink).is_ok());
  EXPECT_THAT(sink.problems, IsEmpty());
  ASSERT_EQ(sink.lines.size(), encoded.size() + 1);
  for (size_t i = 0; i < encoded.size(); ++i) EXPECT_EQ(sink.lines[i + 1], encoded[i].expected);
}

TEST(Events, DescriptionsAreThoseOfEventsDef) {
  size_t count = 0;
#define ORIEL_EVENT(number_, name_, since, context, group, stack, fields, doc) \
  ++count;                                                                     \
  ASSERT_NE(describe_event(number_), nullptr);                                 \
  EXPECT_EQ(describe_event(number_)->number, static_cast<uint32_t>(number_));  \
  EXPECT_STREQ(describe_event(number_)->name, #name_);                         \
  EXPECT_EQ(describe_event(std::string_view(#name_)), describe_event(number_));
#include "oriel/events.def"
#undef ORIEL_EVENT
  EXPECT_EQ(all_events().size(), count);
  EXPECT_EQ(describe_event(0), nullptr);
  EXPECT_EQ(describe_event(std::string_view("no_such_event")), nullptr);
  const EventDescription& jit_done = *describe_event(std::string_view("jit_done"));
  ASSERT_EQ(jit_done.fields.size(), 3u);
  EXPECT_EQ(jit_done.fields[0].kind, FieldKind::kMethod);
  EXPECT_EQ(jit_done.fields[1].kind, FieldKind::kAddress);
  EXPECT_STREQ(jit_done.fields[1].name, "code");
  EXPECT_EQ(jit_done.fields[2].kind, FieldKind::kBytes);
}

TEST(Events, EnumeratorsHaveNames) {
  EXPECT_EQ(enumerator_name(FieldKind::kClauseKind, ORIEL_CLAUSE_CATCH), "catch");
  EXPECT_EQ(enumerator_name(FieldKind::kClauseKind, ORIEL_CLAUSE_FAULT), "fault");
  EXPECT_EQ(enumerator_name(FieldKind::kGcReason, ORIEL_GC_REASON_INDUCED), "induced");
  EXPECT_EQ(enumerator_name(FieldKind::kGcRoots, ORIEL_GC_ROOTS_HANDLES), "handles");
  EXPECT_EQ(enumerator_name(FieldKind::kSuspendReason, ORIEL_SUSPEND_GC), "gc");
  EXPECT_EQ(enumerator_name(FieldKind::kGcEvent, ORIEL_GC_POST_START_WORLD), "post-start-world");
  EXPECT_EQ(enumerator_name(FieldKind::kGcEvent, 99), "");
  EXPECT_EQ(enumerator_name(FieldKind::kU32, 0), "");
}

TEST(EncodeField, TextIsCutBetweenCharacters) {
  uint8_t bytes[kMaxFieldBytes];
  EXPECT_EQ(encode_field(bytes, static_cast<const char*>(nullptr)) - bytes, 1);
  EXPECT_EQ(bytes[0], 0);
  const std::string ascii(1000, 'x');
  EXPECT_EQ(encode_field(bytes, ascii.c_str()) - bytes, 256);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(bytes)), std::string(255, 'x'));
  const std::string wide = std::string(254, 'x') + "ä" + "y";  // its ä would lose its second byte
  EXPECT_EQ(encode_field(bytes, wide.c_str()) - bytes, 255);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(bytes)), std::string(254, 'x'));
}

TEST(RoundTrip, CountersThatGoBackComeOutRight) {
  const TemporaryFile file;
  const Sample samples[] = {{UINT64_MAX, 1, 1}, {0, UINT64_MAX / 2 - 1, 1}, {5000, 1, UINT64_MAX}, {4000, 1, 0}};
  const RawEvent events[] = {{9000, 1, {}}, {8000, 1, {}}};
  {
    auto writer = Writer::create(file.path());
    ASSERT_TRUE(writer.is_ok());
    (*writer)->intro({});
    (*writer)->samples(1, samples);
    (*writer)->events(1, events);
    ASSERT_TRUE((*writer)->flush({}).is_ok());
  }
  RecordingSink sink;
  ASSERT_TRUE(decode_file(file.path(), sink).is_ok());
  ASSERT_EQ(sink.samples.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sink.samples[i].counter, samples[i].counter);
    EXPECT_EQ(sink.samples[i].node, samples[i].node);
    EXPECT_EQ(sink.samples[i].periods, samples[i].periods);
  }
  EXPECT_EQ(sink.lines.back(), "event 1 thread 1 at 8000 values");
}

TEST(Writer, AnEmptyMappingAndEmptyBatchesWriteNothing) {
  const TemporaryFile file;
  auto writer = Writer::create(file.path());
  ASSERT_TRUE(writer.is_ok());
  (*writer)->intro({});
  ASSERT_TRUE((*writer)->flush({}).is_ok());
  const uint64_t before = (*writer)->bytes_written();
  (*writer)->mapping({});
  (*writer)->events(1, {});
  (*writer)->stacks({});
  (*writer)->samples(1, {});
  ASSERT_TRUE((*writer)->flush({}).is_ok());
  const ByteVector content = file.content();
  EXPECT_EQ(content.size(), (*writer)->bytes_written());
  EXPECT_EQ(content[before], static_cast<uint8_t>(Block::kCheck));
  EXPECT_EQ(block_starts(content).size(), 4u);  // intro, check, check, the end
}

TEST(Writer, EntriesWithoutAnIdAreLeftOut) {
  const TemporaryFile file;
  {
    auto writer = Writer::create(file.path());
    ASSERT_TRUE(writer.is_ok());
    (*writer)->intro({});
    Mapping mapping;
    mapping.classes = {{0, 8, 0, "none"}, {1, 8, 0, "one"}};
    (*writer)->mapping(mapping);
    const StackNode nodes[] = {{1, 0, FrameKind::kManaged, 1, false}, {5, 9, FrameKind::kManaged, 2, false}};
    (*writer)->stacks(nodes);  // a gap, and a caller that does not come before
    ASSERT_TRUE((*writer)->flush({}).is_ok());
  }
  RecordingSink sink;
  ASSERT_TRUE(decode_file(file.path(), sink).is_ok());
  EXPECT_THAT(sink.problems, IsEmpty());
  EXPECT_THAT(sink.lines, ElementsAre(testing::StartsWith("intro"), "class 1 8 0 one",
                                      "node 1 parent 0 kind 0 frame 1 0", "node 5 parent 0 kind 0 frame 2 0"));
}

// The promise of docs/FORMAT.md: a 1 kHz sample of a large program, with a 3 GHz counter.
TEST(Writer, SamplesTakeAtMostTwelveBytes) {
  const TemporaryFile file;
  auto writer = Writer::create(file.path());
  ASSERT_TRUE(writer.is_ok());
  (*writer)->intro({});
  ASSERT_TRUE((*writer)->flush({}).is_ok());
  const uint64_t before = (*writer)->bytes_written();
  std::mt19937_64 random(1);
  uint64_t counter = 1'000'000'000'000'000;
  constexpr size_t kFlushes = 40, kThreads = 8, kEach = 25;  // a flush every 25 ms
  for (size_t flush = 0; flush < kFlushes; ++flush) {
    for (uint64_t thread = 1; thread <= kThreads; ++thread) {
      std::vector<Sample> samples;
      for (size_t i = 0; i < kEach; ++i) {
        samples.push_back({counter + i * 3'000'000 + random() % 100'000, random() % 500'000, 1});
      }
      (*writer)->samples(thread, samples);
    }
    counter += kEach * 3'000'000;
    const Lost lost[] = {{"buffer-full", 1000}, {"thread-ended", 1000}};
    ASSERT_TRUE((*writer)->flush(lost).is_ok());
  }
  const double each = static_cast<double>((*writer)->bytes_written() - before) / (kFlushes * kThreads * kEach);
  RecordProperty("bytes_per_sample", std::to_string(each));
  EXPECT_LE(each, 12.0);
  EXPECT_LE(each, 9.0) << "the layout that docs/FORMAT.md promises";
}

// Takes names and clocks only.
struct NamesOnly : RecordingSink {
  bool wants(Block kind) const override {
    return kind != Block::kEvents && kind != Block::kCalls && kind != Block::kSamples;
  }
};

TEST(RoundTrip, WhatASinkDoesNotWantIsLeftOutButForItsClocks) {
  const ByteVector log = sample_log();
  RecordingSink all;
  NamesOnly names;
  const auto of_all = decode_bytes(log.data(), log.size(), all);
  const auto of_names = decode_bytes(log.data(), log.size(), names);
  ASSERT_TRUE(of_all.is_ok() && of_names.is_ok());
  EXPECT_FALSE(all.samples.empty());
  EXPECT_TRUE(names.samples.empty());
  EXPECT_EQ(of_names->blocks, of_all->blocks);
  EXPECT_EQ(names.problems, all.problems);
  const auto is_event = [](const std::string& line) { return line.starts_with("event "); };
  EXPECT_GT(std::ranges::count_if(all.lines, is_event), 0);
  EXPECT_EQ(std::ranges::count_if(names.lines, is_event), 0);
  const auto last = [](const RecordingSink& sink) {
    return std::ranges::max(sink.clocks, {}, &ClockPair::counter).counter;
  };
  EXPECT_EQ(last(names), last(all));
}

}  // namespace
}  // namespace oriel::log
