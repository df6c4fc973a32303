// Calls and allocations: what the writer packs, the decoder unpacks, in as few bytes as docs/FORMAT.md promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "log/call_list.h"
#include "log/event_codes.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

// Classes 1 (24 bytes), 2 (instances vary) and 3000 (32 bytes) are known.
class Calls : public testing::Test {
 protected:
  Calls() {
    writer_ = std::move(*Writer::create(file_.path()));
    writer_->intro({});
    Mapping mapping;
    mapping.classes = {{1, 24, 0, "Point"}, {2, 0, 0, "System.String"}, {3000, 32, 0, "Line"}};
    writer_->mapping(mapping);
    EXPECT_TRUE(writer_->flush({}).is_ok());
    start_ = writer_->bytes_written();
  }

  void write(const CallList& list, uint64_t base = 0, uint64_t thread = 5) { list.write(*writer_, thread, base); }
  uint64_t flush() {
    EXPECT_TRUE(writer_->flush({}).is_ok());
    return writer_->bytes_written() - start_;
  }
  // The events of the file: "enter 1 @100", "leave 1 @200", …
  std::vector<std::string> read(std::vector<std::string>* problems = nullptr) {
    flush();
    RecordingSink sink;
    EXPECT_TRUE(decode_file(file_.path(), sink).is_ok());
    if (problems)
      *problems = sink.problems;
    else
      EXPECT_THAT(sink.problems, IsEmpty());
    std::erase_if(sink.lines, [](const std::string& text) { return !text.starts_with("event"); });
    return sink.lines;
  }
  static std::string enter(uint64_t method, uint64_t at, uint64_t thread = 5) {
    return line("event 110 thread", thread, "at", at, "values", method);
  }
  static std::string leave(uint64_t method, uint64_t at, CallKind how = CallKind::kLeave, uint64_t thread = 5) {
    const int number = how == CallKind::kLeave ? 111 : how == CallKind::kLeaveByTailCall ? 112 : 113;
    return line("event", number, "thread", thread, "at", at, "values", method);
  }
  static std::string allocation(uint64_t klass, uint64_t bytes, uint64_t site, uint64_t at, uint64_t thread = 5) {
    return line("event 114 thread", thread, "at", at, "values", klass, bytes, 0, site);
  }
  static std::string lost(uint64_t count, uint64_t at) { return line("event 1017 thread 5 at", at, "values", count); }

  TemporaryFile file_;
  std::unique_ptr<Writer> writer_;
  uint64_t start_ = 0;
};

TEST_F(Calls, TellWhatIsKnownOfSegments) {
  write(CallList()
            .enter(1, 100)
            .segment(CallKind::kTimed, 90)
            .segment(CallKind::kWaited, UINT64_MAX)
            .segment(CallKind::kTaken, 5'000)
            .leave(1, 300));
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), "event 1018 thread 5 at 100 values 90 0 0",
                                  line("event 1018 thread 5 at 100 values 0", UINT64_MAX, 0),
                                  "event 1018 thread 5 at 100 values 0 0 5000", leave(1, 300)));
}

TEST_F(Calls, NestAndLeaveInEveryWay) {
  write(CallList()
            .enter(1, 100)
            .enter(4096, 300)
            .enter(UINT32_MAX, 301)
            .leave_by_exception(UINT32_MAX, 400)
            .leave_by_tail_call(4096, 400)
            .enter(2, 500)
            .leave(2, 600)
            .leave(1, 100'000),
        90);
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), enter(4096, 300), enter(UINT32_MAX, 301),
                                  leave(UINT32_MAX, 400, CallKind::kLeaveByException),
                                  leave(4096, 400, CallKind::kLeaveByTailCall), enter(2, 500), leave(2, 600),
                                  leave(1, 100'000)));
}

TEST_F(Calls, StacksGoOnFromBlockToBlockThreadByThread) {
  write(CallList().enter(1, 100).enter(2, 110), 100, 5);
  write(CallList().enter(7, 100), 100, 6);
  write(CallList().leave(2, 120).leave(1, 130), 120, 5);
  write(CallList().leave(7, 140), 140, 6);
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), enter(2, 110), enter(7, 100, 6), leave(2, 120), leave(1, 130),
                                  leave(7, 140, CallKind::kLeave, 6)));
}

TEST_F(Calls, AnExitThatIsNotTheTopsNamesItsMethod) {
  write(CallList()
            .leave(9, 100)  // turned on in the middle of it
            .leave_by_exception(8, 110)
            .leave_by_tail_call(7, 120)
            .enter(1, 130)
            .enter(2, 140)
            .leave(1, 150)  // the exit of 2 was not seen
            .enter(3, 160)
            .enter(4, 170)
            .leave_by_exception(3, 180)
            .leave(0, 190));
  EXPECT_THAT(read(),
              ElementsAre(leave(9, 100), leave(8, 110, CallKind::kLeaveByException),
                          leave(7, 120, CallKind::kLeaveByTailCall), enter(1, 130), enter(2, 140), leave(1, 150),
                          enter(3, 160), enter(4, 170), leave(3, 180, CallKind::kLeaveByException), leave(0, 190)));
}

TEST_F(Calls, AMillionFramesDeep) {
  constexpr uint32_t kDeep = 1'000'000;
  CallList down, up;
  for (uint32_t i = 1; i <= kDeep; ++i) down.enter(i % 7 + 1, i);
  for (uint32_t i = kDeep; i >= 1; --i) up.leave(i % 7 + 1, 2 * kDeep - i);
  write(down);
  write(up, kDeep);
  const auto lines = read();
  ASSERT_EQ(lines.size(), 2 * kDeep);
  EXPECT_EQ(lines[kDeep], leave(kDeep % 7 + 1, kDeep));
  EXPECT_EQ(lines.back(), leave(1 % 7 + 1, 2 * kDeep - 1));
}

TEST_F(Calls, AllocationsHaveClassBytesSiteAndTheTimeBeforeThem) {
  write(CallList().allocate(1, 24).site(11).allocate(2, 80).enter(1, 100).allocate(1, 24).site(12).allocate(3000, 32),
        50);
  write(CallList().allocate(1, 24).site(UINT32_MAX).allocate(2, UINT64_MAX).site(0).allocate(2, 0), 200);
  EXPECT_THAT(read(), ElementsAre(allocation(1, 24, 0, 50), allocation(2, 80, 11, 50), enter(1, 100),
                                  allocation(1, 24, 11, 100), allocation(3000, 32, 12, 100), allocation(1, 24, 0, 200),
                                  allocation(2, UINT64_MAX, UINT32_MAX, 200), allocation(2, 0, 0, 200)));
}

TEST_F(Calls, AllocationsHaveTheStackToldBeforeThemInTheirBlock) {
  write(CallList()
            .allocate(1, 24)
            .stack(3)
            .allocate(1, 24)
            .enter(1, 100)
            .stack(UINT64_MAX)
            .allocate(2, 80)
            .stack(0)
            .allocate(1, 24),
        50);
  write(CallList().allocate(1, 24), 200);
  EXPECT_THAT(read(), ElementsAre(allocation(1, 24, 0, 50), allocation(1, 24, 0, 50) + " stack 3", enter(1, 100),
                                  allocation(2, 80, 0, 100) + " stack 18446744073709551615", allocation(1, 24, 0, 100),
                                  allocation(1, 24, 0, 200)));
}

TEST_F(Calls, AnAllocationWhoseClassHasNoMappingIsLeftOut) {
  write(CallList().allocate(77, 24).allocate(1 << 20, 8).allocate(1, 24), 50);
  EXPECT_THAT(read(), ElementsAre(allocation(1, 24, 0, 50)));
}

TEST_F(Calls, AfterALossNoMethodIsTakenFromBefore) {
  write(CallList().enter(1, 100).enter(2, 110).lost(123).leave(2, 120).enter(3, 130).leave(3, 140).leave(1, 150));
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), enter(2, 110), lost(123, 110), leave(2, 120), enter(3, 130),
                                  leave(3, 140), leave(1, 150)));
}

TEST_F(Calls, CountersThatGoBackComeOutRight) {
  write(CallList().enter(1, 100).leave(1, 90).enter(1, 0), UINT64_MAX);
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), leave(1, 90), enter(1, 0)));
}

TEST_F(Calls, RandomOnesComeOutAsTheyWere) {
  std::mt19937_64 random(7);
  std::vector<std::string> expected;
  uint64_t now = 1'000;
  uint64_t site = 0;
  for (int block = 0; block < 50; ++block) {
    CallList list;
    site = 0;
    const uint64_t base = now;
    for (int i = 0; i < 200; ++i) {
      const auto method = static_cast<uint32_t>(random() % 6000 + 1);
      const auto how = static_cast<CallKind>(static_cast<unsigned>(CallKind::kLeave) + random() % 3);
      switch (random() % 6) {
        case 0:
        case 1:
          list.enter(method, now += random() % 300);
          expected.push_back(enter(method, now));
          break;
        case 2:
        case 3:
          now += random() % 300;
          list.add({how, method, now});
          expected.push_back(leave(method, now, how));
          break;
        case 4:
          list.site(method);
          site = method;
          break;
        default:
          list.allocate(2, now % 10'000);
          expected.push_back(allocation(2, now % 10'000, site, now));
      }
    }
    write(list, base);
  }
  EXPECT_THAT(read(), ElementsAreArray(expected));
}

// The promises of docs/FORMAT.md.
TEST_F(Calls, APairThatWasThereBeforeTakesFourBytesAndAnAllocationTwo) {
  constexpr uint32_t kMany = 100'000;
  CallList calls, allocations;
  for (uint32_t i = 0; i < kMany; ++i) {
    calls.enter(i % 200 + 1, 100 * i);
    calls.leave(i % 200 + 1, 100 * i + 40);
    if (i % 5 == 0) allocations.site(i % 2047 + 1);
    allocations.allocate(1, 24);
  }
  write(calls);
  const uint64_t calls_bytes = flush();
  EXPECT_LE(calls_bytes, 4.1 * kMany);
  write(allocations);
  const uint64_t allocation_bytes = flush() - calls_bytes;
  EXPECT_LE(allocation_bytes, 2.41 * kMany) << "with a new site every fifth time";
}

TEST_F(Calls, APairOfMethodsThatNeverCameBeforeTakesSix) {
  constexpr uint32_t kMany = 8'000;  // of one block
  CallList calls;
  for (uint32_t i = 0; i < kMany; ++i) calls.enter(i + 1, 100 * i).leave(i + 1, 100 * i + 40);
  write(calls);
  EXPECT_LE(flush(), 6 * kMany + 200);
}

// Times of code that repeats itself.
TEST_F(Calls, AreSmallerCompressed) {
  constexpr uint32_t kMany = 100'000;
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 2);
  CallList calls;
  std::vector<std::string> expected;
  uint64_t now = 0;
  for (uint32_t i = 0; i < kMany; ++i) {
    const uint32_t method = i % 200 + 1;
    expected.push_back(enter(method, now += static_cast<uint64_t>(60 + method % 7 * 8 + noise(random))));
    calls.enter(method, now);
    expected.push_back(leave(method, now += static_cast<uint64_t>(90 + method % 5 * 16 + noise(random))));
    calls.leave(method, now);
  }
  writer_->calls(5, 0, calls.records(), {.compressed = true});
  EXPECT_LE(flush(), 1.8 * kMany);
  EXPECT_THAT(read(), ElementsAreArray(expected));
}

TEST_F(Calls, ThatRepeatExactlyAreNotCompressedBeyondWhatAReaderTakes) {
  CallList calls;
  std::vector<std::string> expected;
  for (uint32_t i = 0; i < 8'000; ++i) {
    calls.enter(1, 100 * i).leave(1, 100 * i + 50);
    expected.push_back(enter(1, 100 * i));
    expected.push_back(leave(1, 100 * i + 50));
  }
  writer_->calls(5, 0, calls.records(), {.compressed = true});
  EXPECT_THAT(read(), ElementsAreArray(expected));
}

TEST_F(Calls, ThatGoOnAreInTheSameBlock) {
  write(CallList().enter(1, 100).site(7).allocate(1, 24), 90);
  Mapping later;
  later.methods = {{2, 0, "Later", ""}};
  writer_->mapping(later);
  const CallList more = CallList().allocate(1, 24).enter(2, 200).leave(2, 210).leave(1, 220);
  writer_->calls(5, 190, more.records(), {.goes_on = true});
  writer_->calls(6, 300, CallList().enter(1, 300).records(), {.goes_on = true});
  EXPECT_THAT(read(), ElementsAre(enter(1, 100), allocation(1, 24, 7, 100), allocation(1, 24, 7, 100), enter(2, 200),
                                  leave(2, 210), leave(1, 220), enter(1, 300, 6)));
  const ByteVector log = file_.content();
  EXPECT_EQ(std::ranges::count_if(
                block_starts(log),
                [&](size_t at) { return at < log.size() && log[at] == static_cast<uint8_t>(Block::kCalls); }),
            2);
}

TEST_F(Calls, AMethodIsNotTakenFromAnotherBlock) {
  write(CallList().enter(1, 100).enter(2, 110), 100);
  write(CallList().leave(2, 120).enter(2, 130), 120);
  flush();
  ByteVector log = file_.content();
  const auto starts = block_starts(log);
  const auto is_calls = [&](size_t at) { return log[at] == static_cast<uint8_t>(Block::kCalls); };
  const size_t first = *std::ranges::find_if(starts, is_calls);
  log[first] = 200;  // no such block
  RecordingSink sink;
  ASSERT_TRUE(decode_bytes(log.data(), log.size() - 1, sink).is_ok());  // without the check that would drop both
  std::erase_if(sink.lines, [](const std::string& text) { return !text.starts_with("event"); });
  EXPECT_THAT(sink.lines, ElementsAre(leave(2, 120), enter(2, 130)));
}

// Each byte of a block changed in each bit: what comes out is told or refused, and is bounded by the block.
TEST_F(Calls, DamageIsFoundOrReadAsSomethingElse) {
  write(CallList().enter(1, 100).enter(300, 20'000).allocate(2, 80).site(7).lost(3).leave(1, 1u << 30));
  flush();
  const ByteVector log = file_.content();
  const auto starts = block_starts(log);
  const auto is_calls = [&](size_t at) { return log[at] == static_cast<uint8_t>(Block::kCalls); };
  const size_t at = *std::ranges::find_if(starts, is_calls) + kBlockHeaderSize;
  const size_t end = *std::ranges::upper_bound(starts, at);
  for (size_t byte = at; byte < end; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      ByteVector damaged = log;
      damaged[byte] = static_cast<uint8_t>(damaged[byte] ^ 1 << bit);
      RecordingSink sink;
      ASSERT_TRUE(decode_bytes(damaged.data(), damaged.size() - 1, sink).is_ok());
      EXPECT_LE(sink.lines.size(), 40u);
    }
  }
}

TEST(CallsDecoder, ReservedExtendedCodesAreRefused) {
  for (const unsigned upper : {0u, 7u, 31u}) {
    EXPECT_EQ(event_code_table(kVersion2)[event_code(Packed::kExtended, upper)], nullptr) << upper;
  }
}

}  // namespace
}  // namespace oriel::log
