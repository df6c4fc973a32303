// The tail beside a log: what a reader finds after the last flush, at each moment at which a process may be killed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "log/recording_sink.h"
#include "log/ring_file.h"
#include "log/tail_file.h"
#include "log/writer.h"

namespace oriel::log {
namespace {

namespace fs = std::filesystem;

class TailTest : public testing::Test {
 protected:
  TailTest() { fs::create_directory(folder_); }
  ~TailTest() override {
    writer_.reset();
    ring_.reset();
    fs::remove_all(folder_);
  }

  static Intro intro() {
    Intro intro;
    intro.runtime = "fake 1.0";
    intro.clock = clock_pair();
    return intro;
  }

  void create() {
    auto writer = Writer::create(path_);
    ASSERT_TRUE(writer);
    begin(std::move(*writer));
  }

  void begin(std::unique_ptr<Writer> writer) {
    writer_ = std::move(writer);
    ASSERT_TRUE(writer_->begin_tail());
    writer_->intro(intro());
    ASSERT_TRUE(writer_->flush({}));
  }

  void count(uint64_t number) { writer_->counters({{{"count", number}}}); }
  // Writes the tail with this number and what is gathered.
  void write_tail(uint64_t number) {
    writer_->write_tail({}, [&] { count(number); });
  }

  // The numbers that a reader finds; empty if it finds something wrong, too.
  std::vector<uint64_t> numbers() const {
    RecordingSink sink;
    const auto outcome = decode_file(path_, sink);
    EXPECT_TRUE(outcome) << outcome.message();
    if (!outcome || !sink.problems.empty() || outcome->torn_bytes != 0) return {};
    std::vector<uint64_t> result;
    for (const std::string& line : sink.lines)
      if (line.starts_with("counter count ")) result.push_back(std::stoull(line.substr(14)));
    return result;
  }

  // Damages a byte of both slots, or of that which was written last.
  void damage_slot(size_t slot) const {
    std::fstream file(tail_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(slot * (kMostTailBytes + 56) + 70));
    file.put('\xff');
  }

  const std::string folder_ = testing::TempDir() + "tail_test-" + std::to_string(getpid());
  const std::string path_ = folder_ + "/log.oriel", tail_ = path_ + ".tail";
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<RingFile> ring_;
};

using Numbers = std::vector<uint64_t>;

TEST_F(TailTest, HasWhatIsNotFlushedYet) {
  create();
  EXPECT_EQ(numbers(), Numbers());
  count(1);
  write_tail(2);
  EXPECT_EQ(numbers(), (Numbers{1, 2}));
  write_tail(3);
  EXPECT_EQ(numbers(), (Numbers{1, 3})) << "it is written anew each time";
}

TEST_F(TailTest, IsNotReadTwiceAfterAFlush) {
  create();
  count(1);
  write_tail(2);
  count(2);
  ASSERT_TRUE(writer_->flush({}));
  EXPECT_EQ(numbers(), (Numbers{1, 2}));
  write_tail(3);
  EXPECT_EQ(numbers(), (Numbers{1, 2, 3}));
}

TEST_F(TailTest, HoldsAllOfAFlushThatWasCut) {
  create();
  const auto before = fs::file_size(path_);
  count(1);
  write_tail(2);
  count(2);
  ASSERT_TRUE(writer_->flush({}));
  for (auto size = fs::file_size(path_) - 1; size >= before; --size) {
    fs::resize_file(path_, size);
    EXPECT_EQ(numbers(), (Numbers{1, 2})) << size;
  }
}

TEST_F(TailTest, TheOneBeforeIsReadIfTheLastWasCut) {
  create();
  write_tail(1);
  write_tail(2);
  damage_slot(0);
  EXPECT_EQ(numbers(), Numbers{1});
  damage_slot(1);
  EXPECT_EQ(numbers(), Numbers());
}

TEST_F(TailTest, HasTheCallsOfAnOpenBlock) {
  create();
  Mapping mapping;
  MethodName method;
  method.id = 5;
  method.name = "Work";
  mapping.methods.push_back(method);
  writer_->mapping(mapping);
  const CallRecord enter{CallKind::kEnter, 5, 1'000}, leave{CallKind::kLeave, 5, 2'000};
  writer_->calls(1, 1'000, {{enter, leave}});
  const auto events = [&] {
    RecordingSink sink;
    EXPECT_TRUE(decode_file(path_, sink));
    return std::ranges::count_if(sink.lines, [](const std::string& line) { return line.starts_with("event "); });
  };
  EXPECT_EQ(events(), 0);
  writer_->write_tail({}, [] {});
  EXPECT_EQ(events(), 2);
  writer_->calls(1, 1'000, {{enter, leave}}, {.goes_on = true});
  ASSERT_TRUE(writer_->flush({}));
  EXPECT_EQ(events(), 4);
}

TEST_F(TailTest, IsRemovedWithTheLogsEnd) {
  create();
  write_tail(1);
  EXPECT_TRUE(fs::exists(tail_));
  writer_->close();
  EXPECT_FALSE(fs::exists(tail_));
}

TEST_F(TailTest, AnotherLogsIsNotRead) {
  create();
  write_tail(1);
  fs::copy(tail_, folder_ + "/kept");
  writer_->close();
  create();
  writer_->close();
  fs::copy(folder_ + "/kept", tail_);
  EXPECT_EQ(numbers(), Numbers());
}

TEST_F(TailTest, OneThatWasLeftIsReplacedAndAnotherFileIsNot) {
  create();
  write_tail(1);
  fs::copy(tail_, folder_ + "/kept");
  writer_->close();
  fs::copy(folder_ + "/kept", tail_);
  create();
  EXPECT_TRUE(writer_->has_tail());
  writer_->close();
  std::ofstream(tail_) << "the user's";
  auto writer = Writer::create(path_);
  ASSERT_TRUE(writer);
  const Status status = (*writer)->begin_tail();
  EXPECT_NE(status.message().find(tail_ + ": it exists and is not the tail of a log"), std::string::npos);
  EXPECT_FALSE((*writer)->has_tail());
  (*writer)->close();
  EXPECT_TRUE(fs::exists(tail_));
}

TEST_F(TailTest, WhatIsTooLargeStaysOut) {
  create();
  write_tail(1);
  writer_->write_tail({}, [&] {
    for (uint64_t i = 0; i < kMostTailBytes / 8; ++i) count(i);
  });
  EXPECT_EQ(numbers(), Numbers{1});
}

TEST_F(TailTest, ARecordersGoesOnWhereItsRingEnds) {
  auto ring = RingFile::create(path_, intro(), {100'000, 60'000'000'000});
  ASSERT_TRUE(ring);
  ring_ = std::move(*ring);
  for (uint64_t segment = 0; segment < 3; ++segment) {
    auto writer = Writer::create_in(*ring_);
    ASSERT_TRUE(writer);
    begin(std::move(*writer));
    count(segment);
    ASSERT_TRUE(writer_->flush({}));
  }
  EXPECT_EQ(numbers(), (Numbers{0, 1, 2}));
  write_tail(7);
  EXPECT_EQ(numbers(), (Numbers{0, 1, 2, 7}));
  writer_.reset();
  ring_->close();
  EXPECT_EQ(numbers(), (Numbers{0, 1, 2}));
  EXPECT_FALSE(fs::exists(tail_));
}

}  // namespace
}  // namespace oriel::log
