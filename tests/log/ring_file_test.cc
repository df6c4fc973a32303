// The file of a flight recorder: what it holds at each moment, in how many bytes, and what a reader makes of it.
#include "log/ring_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "log/recording_sink.h"
#include "log/writer.h"

namespace oriel::log {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

class RingFileTest : public testing::Test {
 protected:
  ~RingFileTest() override { std::filesystem::remove(path_); }

  static Intro intro() {
    Intro intro;
    intro.runtime = "fake 1.0";
    intro.clock = clock_pair();
    return intro;
  }

  void create(uint64_t bytes, uint64_t seconds = 60) {
    auto ring = RingFile::create(path_, intro(), {bytes, seconds * kSecond});
    ASSERT_TRUE(ring) << ring.message();
    ring_ = std::move(*ring);
  }

  // A segment with a property that tells it from others, and so many bytes beside.
  void segment(const std::string& name, size_t bytes = 0) {
    auto writer = Writer::create_in(*ring_);
    ASSERT_TRUE(writer);
    Intro its = intro();
    its.properties = {{"segment", name}, {"filling", std::string(bytes, 'x')}};
    (*writer)->intro(its);
    ASSERT_TRUE((*writer)->flush({}));
  }

  // The names of the segments in a file.
  static std::vector<std::string> segments(const std::string& path) {
    RecordingSink sink;
    const auto outcome = decode_file(path, sink);
    EXPECT_TRUE(outcome) << outcome.message();
    EXPECT_TRUE(sink.problems.empty());
    EXPECT_EQ(outcome->torn_bytes, 0u);
    EXPECT_EQ(outcome->bytes, std::filesystem::file_size(path));
    std::vector<std::string> names;
    for (const std::string& line : sink.lines)
      if (line.starts_with("property segment ")) names.push_back(line.substr(17));
    return names;
  }
  std::vector<std::string> segments() const { return segments(path_); }

  std::string path_ = testing::TempDir() + "ring_file_test-" + std::to_string(getpid()) + ".oriel";
  std::unique_ptr<RingFile> ring_;
};

using Names = std::vector<std::string>;

TEST_F(RingFileTest, IsALogFromTheBeginning) {
  create(10'000);
  EXPECT_EQ(segments(), Names());
  segment("one");
  EXPECT_EQ(segments(), Names{"one"});
}

TEST_F(RingFileTest, HoldsTheNewestSegmentsInItsBytes) {
  create(10'000);
  for (int i = 0; i < 40; ++i) {
    segment(std::to_string(i), 2'000);
    const Names names = segments();
    ASSERT_EQ(names.size(), std::min<size_t>(static_cast<size_t>(i) + 1, 4));
    EXPECT_EQ(names.back(), std::to_string(i));
    EXPECT_LT(std::filesystem::file_size(path_), 10'200u);
  }
  EXPECT_TRUE(ring_->held(clock_monotonic_ns()).is_full);
  EXPECT_LE(ring_->held(clock_monotonic_ns()).bytes, 10'000u);
}

TEST_F(RingFileTest, DropsSegmentsThatAreTooOld) {
  create(100'000, 10);
  const auto bytes = [&](uint64_t second) {
    const uint8_t filling[100] = {};
    EXPECT_EQ(ring_->append(filling, sizeof filling, true, second * kSecond), 0);
    return ring_->held(second * kSecond).bytes;
  };
  EXPECT_EQ(bytes(1), 100u);
  EXPECT_EQ(bytes(5), 200u);
  EXPECT_EQ(bytes(11), 300u) << "the first one has the seconds up to 5";
  EXPECT_EQ(bytes(15), 300u);
  EXPECT_EQ(bytes(100), 200u) << "one more than asked for, as it may have its last moment";
  EXPECT_FALSE(ring_->held(100 * kSecond).is_full);
}

TEST_F(RingFileTest, SegmentsThatDoNotFitAreDropped) {
  create(10'000);
  segment("one", 100);
  auto writer = Writer::create_in(*ring_);
  ASSERT_TRUE(writer);
  Intro large = intro();
  large.properties = {{"segment", "large"}, {"filling", std::string(20'000, 'x')}};
  (*writer)->intro(large);
  EXPECT_TRUE((*writer)->flush({}));
  EXPECT_TRUE((*writer)->has_dropped());
  EXPECT_EQ(segments(), Names{"one"});
}

TEST_F(RingFileTest, WhatDoesNotFitIsCounted) {
  create(1'000);
  auto writer = Writer::create_in(*ring_);
  ASSERT_TRUE(writer);
  const auto write = [&](size_t filling) {
    Intro its = intro();
    its.properties = {{"filling", std::string(filling, 'x')}};
    (*writer)->intro(its);
    (*writer)->samples(1, {{{.counter = 1, .periods = 3}, {.counter = 2, .periods = 4}}});
    const RawEvent event{.counter = 1, .fields = {}};
    (*writer)->events(1, {{event, event}});
    (*writer)->calls(7, 10, {{{CallKind::kEnter, 1, 11}, {CallKind::kTimed, 0, 2}, {CallKind::kLeave, 1, 12}}});
    EXPECT_TRUE((*writer)->flush({}));
  };
  write(0);
  EXPECT_TRUE((*writer)->dropped().calls.empty());
  write(2'000);
  write(0);
  const Dropped& dropped = (*writer)->dropped();
  EXPECT_EQ(dropped.samples, 14u);
  EXPECT_EQ(dropped.events, 4u);
  EXPECT_EQ(dropped.calls.at(7).count, 4u);
  EXPECT_EQ(dropped.calls.at(7).counter, 10u);
}

TEST_F(RingFileTest, WhatDoesNotCountYetIsNotRead) {
  create(10'000);
  segment("one", 1'000);
  segment("two", 1'000);
  ring_.reset();
  // As if the process was killed while it wrote on.
  std::ofstream(path_, std::ios::app | std::ios::binary) << std::string(3'000, '\x07');
  EXPECT_EQ(segments(), (Names{"one", "two"}));
}

TEST_F(RingFileTest, IsCopiedAsALog) {
  create(10'000);
  for (int i = 0; i < 9; ++i) segment(std::to_string(i), 3'000);
  const std::string copy = path_ + ".copy.oriel";
  auto writer = Writer::create(copy);
  ASSERT_TRUE(writer) << writer.message();
  int parts = 0;
  ASSERT_TRUE((*writer)->copy(*ring_, [&] { ++parts; }));
  (*writer)->end({.clock = clock_pair()});
  ASSERT_TRUE((*writer)->flush({}));
  (*writer)->close();
  EXPECT_GT(parts, 0);
  EXPECT_EQ(segments(copy), (Names{"6", "7", "8"}));
  std::filesystem::remove(copy);
}

TEST_F(RingFileTest, DamagedHeadsAreNotTrusted) {
  create(1'000);
  for (int i = 0; i < 9; ++i) segment(std::to_string(i), 200);
  ring_.reset();
  std::ifstream in(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (size_t at = 0; at < 120; ++at) {
    for (const int value : {0x00, 0x7f, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      RecordingSink sink;
      static_cast<void>(decode_bytes(reinterpret_cast<const uint8_t*>(damaged.data()), damaged.size(), sink));
    }
  }
  for (size_t size = 0; size < whole.size(); size += 7) {
    RecordingSink sink;
    static_cast<void>(decode_bytes(reinterpret_cast<const uint8_t*>(whole.data()), size, sink));
  }
}

}  // namespace
}  // namespace oriel::log
