// What the index of a log lets a reader of a part of its time pass over, and that nothing else is missing then.
#include "log/sample_index.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "log/index_file.h"
#include "log/range_decoder.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kFlushes = 60, kStep = 1000;

// Threads, stacks and everything else come and go; flush i has the samples of the counters from i * kStep on.
void write_program(const std::string& path, bool compressed) {
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer);
  if (compressed) (*writer)->compress();
  Intro intro;
  intro.clock = {1, 1'700'000'000'000'000};
  (*writer)->intro(intro);
  uint64_t nodes = 0;
  for (uint64_t i = 0; i < kFlushes; ++i) {
    if (i % 4 == 0) {
      std::vector<StackNode> more;
      for (int n = 0; n < 5; ++n, ++nodes)
        more.push_back({nodes + 1, nodes, nodes % 3 == 0 ? FrameKind::kNative : FrameKind::kManaged, nodes % 7});
      (*writer)->stacks(more);
    }
    for (uint64_t thread = 1; thread <= 1 + i % 5; ++thread) {
      std::vector<Sample> samples;
      for (uint64_t n = 0; n < 150; ++n) samples.push_back({i * kStep + n, (n * n + thread) % (nodes + 1), 1 + n % 2});
      const Compiling compiling[] = {{samples[3].counter, 7, false, 1}};
      (*writer)->samples(100 - thread, samples, std::span(compiling, i % 11 == 0 ? 1 : 0));
    }
    const uint8_t field[] = {0x81};
    const RawEvent events[] = {{i * kStep, 1, field}};
    if (i % 3 == 0) (*writer)->events(40 + i, events, ClockPair{i * kStep, 1'700'000'000'000'000 + i});
    (*writer)->process({{i * kStep, 1'700'000'000'000'000 + i}, i, i, i});
    const Lost lost[] = {{"buffer-full", i / 20}};
    ASSERT_TRUE((*writer)->flush(lost));
  }
  (*writer)->end({kVersion2, {kFlushes * kStep, 1'700'000'000'001'000}});
  ASSERT_TRUE((*writer)->flush({}));
}

ByteVector program(bool compressed) {
  const TemporaryFile file;
  write_program(file.path(), compressed);
  return file.content();
}

// A sink that keeps samples of a part, and sums the others, whoever sums them.
struct PartSink : RecordingSink {
  explicit PartSink(const LogPart& kept) : part(kept) {}

  void on_stack_node(const StackNode& node) override {
    frames[node.id] = 1 + (node.frame << 1 | static_cast<uint64_t>(node.kind));
    RecordingSink::on_stack_node(node);
  }
  void on_sample(uint64_t thread, const Sample& sample) override {
    see(thread, sample.counter, sample.counter);
    const bool is_in_range = sample.counter >= part.range.from && sample.counter <= part.range.to;
    if (is_in_range && !part.left_out.contains(thread)) return RecordingSink::on_sample(thread, sample);
    sums[sample.node == 0 ? 0 : frames[sample.node]] += sample.periods;
  }
  // Told again and again of a log as it grows.
  void on_lost(const Lost& told) override { lost[told.reason] = told.count; }
  void on_passed(uint64_t thread) override {
    if (!seen.contains(thread)) order.push_back(thread);
    seen.try_emplace(thread, kNoCounters);
    ++passed;
  }
  void on_passed(const PassedThread& thread) override { see(thread.thread, thread.seen.from, thread.seen.to); }
  void on_passed(const PassedFrame& frame) override {
    sums[frame.has_stack ? 1 + (frame.frame << 1 | static_cast<uint64_t>(frame.kind)) : 0] += frame.periods;
  }
  void see(uint64_t thread, uint64_t from, uint64_t to) {
    if (!seen.contains(thread)) order.push_back(thread);
    CounterRange& its = seen.try_emplace(thread, kNoCounters).first->second;
    its.from = std::min(its.from, from);
    its.to = std::max(its.to, to);
  }

  LogPart part;
  std::map<uint64_t, uint64_t> frames, sums;
  std::map<std::string, uint64_t> lost;
  std::vector<uint64_t> order;
  std::map<uint64_t, CounterRange> seen;
  uint64_t passed = 0;
};

const LogPart kParts[] = {{{0, UINT64_MAX}, {}},
                          {kNoCounters, {}},
                          {{0, 5 * kStep}, {}},
                          {{20 * kStep, 21 * kStep}, {}},
                          {{41 * kStep + 50, 41 * kStep + 60}, {}},
                          {{50 * kStep, UINT64_MAX}, {}},
                          {{0, UINT64_MAX}, {99}},
                          {{0, UINT64_MAX}, {96, 97, 98, 99}},
                          {{10 * kStep, 30 * kStep}, {96, 97, 98, 99}},
                          {{0, UINT64_MAX}, {95, 96, 97, 98, 99}}};

// How often threads' samples were passed over in all parts.
uint64_t compare(const std::string& path, const SampleIndex& index) {
  uint64_t passed = 0;
  for (const LogPart& wanted : kParts) {
    SCOPED_TRACE(std::to_string(wanted.range.from) + " " + std::to_string(wanted.left_out.size()));
    PartSink whole(wanted), part(wanted);
    const auto of_whole = decode_range(path, {}, wanted, whole);
    const auto of_part = decode_range(path, index, wanted, part);
    EXPECT_EQ(of_whole.is_ok(), of_part.is_ok());
    if (!of_whole || !of_part) return passed;
    EXPECT_EQ(whole.passed, 0u);
    EXPECT_TRUE(part.lines == whole.lines);
    EXPECT_TRUE(part.sums == whole.sums);
    EXPECT_EQ(part.lost, whole.lost);
    EXPECT_EQ(part.order, whole.order);
    EXPECT_EQ(part.problems, whole.problems);
    EXPECT_EQ(part.clocks.size(), whole.clocks.size());
    for (const auto& [thread, seen] : whole.seen) {
      EXPECT_EQ(part.seen[thread].from, seen.from);
      EXPECT_EQ(part.seen[thread].to, seen.to);
    }
    EXPECT_EQ(of_part->bytes, of_whole->bytes);
    EXPECT_EQ(of_part->blocks, of_whole->blocks);
    EXPECT_EQ(of_part->ended, of_whole->ended);
    EXPECT_EQ(of_part->torn_bytes, of_whole->torn_bytes);
    EXPECT_EQ(of_part->corrupt_blocks, of_whole->corrupt_blocks);
    passed += part.passed;
  }
  return passed;
}

uint64_t compare(const ByteVector& log, uint64_t piece) {
  const TemporaryFile file(log);
  const auto index = make_sample_index(file.path(), piece);
  EXPECT_TRUE(index) << index.message();
  return index ? compare(file.path(), *index) : 0;
}

TEST(SampleIndex, APartOfTheTimeIsReadAsFromTheWholeLog) {
  for (const bool compressed : {false, true}) {
    const ByteVector log = program(compressed);
    for (const uint64_t piece : {1u, 2000u, 20'000u}) EXPECT_GT(compare(log, piece), 0u) << piece;
    compare(sample_log(compressed), 1);
  }
}

TEST(SampleIndex, ADamagedLogIsReadAsWithoutIndex) {
  for (const bool compressed : {false, true}) {
    const ByteVector log = program(compressed);
    for (size_t at = 0; at < log.size(); at += log.size() / 12) {
      SCOPED_TRACE(at);
      ByteVector damaged = log;
      damaged[at] ^= 0x11;
      const TemporaryFile file(damaged);
      const auto index = make_sample_index(file.path(), 1);
      PartSink sink({});
      EXPECT_EQ(index.is_ok(), decode_file(file.path(), sink).is_ok());
      if (index) compare(file.path(), *index);
      ByteVector cut = log;
      cut.resize(at + 20);
      compare(cut, 1);
    }
  }
}

TEST(SampleIndex, ALogThatHasGrownIsReadToItsEnd) {
  const ByteVector log = program(false);
  ByteVector begin = log;
  begin.resize(log.size() / 2);
  const TemporaryFile first(begin), whole(log);
  const auto index = make_sample_index(first.path(), 1);
  ASSERT_TRUE(index) << index.message();
  EXPECT_LE(index->end(), begin.size());
  EXPECT_GT(compare(whole.path(), *index), 10u);
}

// Only numbers and names may be wrong then.
TEST(SampleIndex, AnIndexIsNotTrusted) {
  const TemporaryFile file(program(false));
  const auto index = make_sample_index(file.path(), 1);
  ASSERT_TRUE(index);
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    SampleIndex wrong = *index;
    IndexPiece& piece = wrong.pieces[random() % wrong.pieces.size()];
    if (i % 3 == 0) piece.end += random() % 100;
    if (i % 3 == 1) piece.rest_size = random();
    if (i % 3 == 2 && !piece.rest.empty()) piece.rest[random() % piece.rest.size()] ^= 1u << random() % 8;
    PartSink sink({3000, 5000});
    EXPECT_TRUE(decode_range(file.path(), wrong, {3000, 5000}, sink));
  }
}

class IndexFile : public testing::Test {
 protected:
  IndexFile() : file_(program(true)) {}
  ~IndexFile() override { fs::remove_all(index_file_of(path())); }
  const std::string& path() const { return file_.path(); }
  // How many pieces the index has: one that is made here has none but with the first call's piece.
  size_t pieces(uint64_t piece = UINT64_MAX / 2) const {
    const auto index = index_of_log(path(), {}, {piece, 1});
    EXPECT_TRUE(index) << index.message();
    return index ? index->pieces.size() : 0;
  }
  void append(const ByteVector& bytes) const {
    std::ofstream(path(), std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  TemporaryFile file_;
};

TEST_F(IndexFile, IsThereForTheNextReader) {
  ASSERT_TRUE(index_of_log(path()));
  EXPECT_FALSE(fs::exists(index_file_of(path()))) << "the log is short";
  const size_t made = pieces(1000);
  EXPECT_GT(made, 5u);
  EXPECT_EQ(pieces(), made);
  struct stat index {};
  ASSERT_EQ(stat(index_file_of(path()).c_str(), &index), 0);
  EXPECT_EQ(index.st_mode & 0777, 0600u);
  const auto read = index_of_log(path());
  ASSERT_TRUE(read);
  EXPECT_GT(compare(path(), *read), 10u);
}

TEST_F(IndexFile, IsUsedAfterTheLogHasGrownAndNotAfterAnyOtherChange) {
  const size_t made = pieces(1000);
  append({1, 2, 3});
  EXPECT_EQ(pieces(), made);
  fs::resize_file(path(), fs::file_size(path()) - 4);
  EXPECT_EQ(pieces(), 0u) << "shorter";
  ASSERT_GT(pieces(1000), 0u);
  fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(pieces(), 0u) << "written again";
}

TEST_F(IndexFile, IsOfNoOtherLog) {
  pieces(1000);
  const std::string index = index_file_of(path());
  const TemporaryFile other(program(false));
  fs::copy_file(index, index_file_of(other.path()));
  const auto its = index_of_log(other.path(), {}, {UINT64_MAX / 2, 1});
  ASSERT_TRUE(its);
  EXPECT_TRUE(its->pieces.empty());
  fs::remove(index_file_of(other.path()));
}

TEST_F(IndexFile, OfAnEarlierLogIsRemovedWhereTheLogNeedsNone) {
  ASSERT_GT(pieces(1000), 0u);
  fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::seconds(5));
  ASSERT_TRUE(index_of_log(path()));
  EXPECT_FALSE(fs::exists(index_file_of(path())));
}

TEST_F(IndexFile, TakesAnOlderOnesPlaceAndLeavesNothingElse) {
  ASSERT_GT(pieces(1000), 0u);
  fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::seconds(5));
  const size_t made = pieces(500);
  EXPECT_EQ(pieces(), made);
  for (const auto& entry : fs::directory_iterator(fs::path(path()).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(index_file_of(path()) + ".")) << entry.path();
}

TEST_F(IndexFile, IsMadeAnewIfAnyByteIsWrong) {
  const size_t made = pieces(1000);
  const std::string index = index_file_of(path());
  std::ifstream in(index, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 50) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    std::ofstream(index, std::ios::binary) << damaged;
    EXPECT_EQ(pieces(), 0u) << at;
    std::ofstream(index, std::ios::binary) << bytes.substr(0, at);
    EXPECT_EQ(pieces(), 0u) << at;
  }
  std::ofstream(index, std::ios::binary) << bytes;
  EXPECT_EQ(pieces(), made);
}

TEST_F(IndexFile, IsLeftOutWhereItCannotBeWritten) {
  const std::string index = index_file_of(path());
  fs::create_directory(index);
  EXPECT_GT(pieces(1000), 0u);
  EXPECT_TRUE(fs::is_directory(index));
  for (const auto& entry : fs::directory_iterator(fs::path(path()).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(index + ".")) << entry.path();
}

TEST_F(IndexFile, ReplacesNoOtherFile) {
  const std::string index = index_file_of(path());
  std::ofstream(index) << "of mine";
  EXPECT_GT(pieces(1000), 0u);
  std::ifstream in(index);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "of mine");
}

TEST_F(IndexFile, IsNotReadIfItIsLargerThanAnIndexOfThisLog) {
  pieces(1000);
  fs::resize_file(index_file_of(path()), uint64_t{1} << 40);  // a hole, which would take a terabyte of memory
  EXPECT_EQ(pieces(), 0u);
}

TEST_F(IndexFile, IsNotReadThroughALink) {
  pieces(1000);
  const std::string index = index_file_of(path());
  fs::rename(index, index + "2");
  fs::create_symlink(index + "2", index);
  EXPECT_EQ(pieces(), 0u);
  fs::remove(index + "2");
}

}  // namespace
}  // namespace oriel::log
