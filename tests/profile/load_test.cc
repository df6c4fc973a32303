// Files: complete, still growing, truncated, damaged, of version 1.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "log/byte_builder.h"
#include "log/call_list.h"
#include "log/range_decoder.h"
#include "log/writer.h"
#include "profile/build/builder.h"
#include "profile/shop/shop_log.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"

namespace oriel::profile {
namespace {

class Load : public ::testing::Test {
 protected:
  Load() : path_(::testing::TempDir() + "oriel-load-" + std::to_string(getpid()) + ".oriel") {}
  ~Load() override { std::remove(path_.c_str()); }
  std::string path_;
};

TEST_F(Load, WholeLog) {
  testing::write_shop_log(path_, true);
  const auto profile = load(path_);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->file, path_);
  EXPECT_EQ(profile->total_periods(), testing::kPeriods);
  EXPECT_EQ(profile->wall_ns, 100'000'000);
  EXPECT_EQ(profile->state, LogState::kComplete);
  ASSERT_EQ(profile->lost.size(), 1u);
  EXPECT_EQ(profile->lost[0].count, 3u);
  EXPECT_EQ(profile->samples[3].ns, 4'000'000);
}

// Samples outside of a time are not even kept while a log is read.
TEST_F(Load, APartOfTheTimeIsThatOfTheWholeLog) {
  testing::write_shop_log(path_, true);
  for (const auto& [from, to] : {std::pair<int64_t, int64_t>{0, INT64_MAX},
                                 {4'000'000, INT64_MAX},
                                 {0, 4'000'000},
                                 {4'000'000, 30'000'000},
                                 {90'000'000, INT64_MAX}}) {
    Filter filter;
    filter.from_ns = from;
    filter.to_ns = to;
    const auto part = load(path_, filter, {});
    ASSERT_TRUE(part) << part.message();
    auto whole = load(path_);
    ASSERT_TRUE(whole) << whole.message();
    apply(filter, *whole);
    EXPECT_EQ(part->unfiltered_periods, testing::kPeriods);
    ASSERT_EQ(part->samples.size(), whole->samples.size());
    for (size_t i = 0; i < part->samples.size(); ++i) {
      EXPECT_EQ(part->samples[i].ns, whole->samples[i].ns);
      EXPECT_EQ(part->samples[i].node, whole->samples[i].node);
      EXPECT_EQ(part->samples[i].thread, whole->samples[i].thread);
    }
    EXPECT_EQ(part->waits.size(), whole->waits.size());
  }
}

// As without the index, also of what was passed over: how much there is, and which threads.
TEST_F(Load, APartOfTheTimeIsTheSameWithAnIndex) {
  testing::write_shop_log(path_, true);
  const auto index = log::make_sample_index(path_, 1);
  ASSERT_TRUE(index && !index->pieces.empty());
  for (const log::CounterRange& range : {log::kNoCounters, log::CounterRange{testing::kStart, testing::kStart + 5}}) {
    Profile profiles[2];
    for (const bool indexed : {false, true}) {
      Builder builder;
      builder.limit_samples(range);
      const auto outcome = log::decode_range(path_, indexed ? *index : log::SampleIndex(), {range, {}}, builder);
      ASSERT_TRUE(outcome) << outcome.message();
      profiles[indexed] = builder.finish(*outcome);
    }
    const auto& [whole, part] = profiles;
    EXPECT_EQ(part.unfiltered_periods, testing::kPeriods);
    EXPECT_EQ(whole.unfiltered_periods, testing::kPeriods);
    EXPECT_EQ(part.samples.size(), whole.samples.size());
    EXPECT_EQ(part.nodes.size(), whole.nodes.size());
    EXPECT_EQ(part.wall_ns, whole.wall_ns);
    EXPECT_EQ(part.outcome.blocks, whole.outcome.blocks);
    ASSERT_EQ(part.functions.size(), whole.functions.size());
    for (size_t i = 0; i < part.functions.size(); ++i) EXPECT_EQ(part.functions[i].name, whole.functions[i].name);
    ASSERT_EQ(part.threads.size(), whole.threads.size());
    for (size_t i = 0; i < part.threads.size(); ++i) {
      EXPECT_EQ(part.threads[i].name, whole.threads[i].name);
      EXPECT_EQ(part.threads[i].first_ns, whole.threads[i].first_ns);
      EXPECT_EQ(part.threads[i].last_ns, whole.threads[i].last_ns);
    }
  }
}

TEST_F(Load, LogOfAnotherMachineWithoutEnd) {
  testing::write_shop_log(path_, false);
  const auto profile = load(path_);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->total_periods(), testing::kPeriods);
  EXPECT_FALSE(profile->outcome.ended);
  EXPECT_EQ(profile->state, LogState::kUnknown);
}

// A log without end, of a process on this machine.
void write_log_of(const std::string& path, const std::string& pid, uint64_t unix_us) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto writer = log::Writer::create(path);
  ASSERT_TRUE(writer);
  log::Intro intro;
  intro.clock = {1000, unix_us};
  intro.properties = {{"pid", pid}, {"host", host}};
  (*writer)->intro(intro);
  ASSERT_TRUE((*writer)->flush({}));
}

// Its process is gone when it is checked, but wrote the end before.
TEST_F(Load, LogThatIsEndedWhileItIsRead) {
  write_log_of(path_, "4194305", testing::kStartUnixUs);  // greater than any pid
  bool ended = false;
  const auto end = [&](uint64_t, uint64_t) {
    if (!ended) testing::write_shop_log(path_, true);
    ended = true;
  };
  const auto profile = load(path_, end);
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_TRUE(ended);
  EXPECT_EQ(profile->state, LogState::kComplete);
  EXPECT_EQ(profile->total_periods(), testing::kPeriods);
}

// A part of the time is read in several passes, which must be of one log.
TEST_F(Load, LogThatIsReplacedWhileItIsRead) {
  testing::write_shop_log(path_, true);
  Filter filter;
  filter.to_ns = 30'000'000;
  bool replaced = false;
  const auto replace = [&](uint64_t, uint64_t) {
    if (std::exchange(replaced, true)) return;
    testing::write_shop_log(path_ + "2", true);
    std::filesystem::rename(path_ + "2", path_);
  };
  const auto part = load(path_, filter, replace);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(part.message(), "another log took the place of " + path_ + " while it was read; try again");
  replaced = false;
  EXPECT_TRUE(load(path_, replace)) << "all of it is read at once";
  // The last pass has all of a log that is gone.
  int passes = 0;
  EXPECT_TRUE(load(path_, filter, [&](uint64_t done, uint64_t all) { passes += done == all ? 1 : 0; }));
  ASSERT_GT(passes, 1);
  EXPECT_TRUE(load(path_, filter, [&](uint64_t done, uint64_t all) {
    if (done == all && --passes == 0) std::filesystem::remove(path_);
  }));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Load, TellsRunningFromKilled) {
  write_log_of(path_, std::to_string(getpid()), clock_unix_us());
  EXPECT_EQ(load(path_)->state, LogState::kRunning);
  write_log_of(path_, "99999999", clock_unix_us());
  EXPECT_EQ(load(path_)->state, LogState::kStopped);
  // The process with that pid is younger than the log.
  write_log_of(path_, std::to_string(getpid()), 1'000'000'000'000'000);
  EXPECT_EQ(load(path_)->state, LogState::kStopped);
}

TEST_F(Load, NativeFunctionsAreWhereTheyBeginInTheirLibrary) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  (*writer)->intro(testing::shop_intro());
  log::Mapping mapping = testing::shop_mapping();
  mapping.builds = {{1, "c0ffee"}};
  mapping.addresses = {{1, 0x1234}};
  (*writer)->mapping(mapping);
  (*writer)->stacks(testing::shop_nodes());
  (*writer)->samples(1, testing::worker_samples());
  ASSERT_TRUE((*writer)->flush({}));
  const auto profile = load(path_);
  ASSERT_TRUE(profile) << profile.message();
  const Position& position = profile->places.positions[profile->nodes[7].position];
  EXPECT_EQ(position.address, 0x1234u);
  EXPECT_EQ(profile->places.images[position.image].path, "/usr/lib/libcoreclr.so");
  EXPECT_EQ(profile->places.images[position.image].build_id, "c0ffee");
  EXPECT_EQ(profile->nodes[3].position, 0u) << "no address is known";
}

TEST_F(Load, GrowingFileGivesWhatIsThere) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  (*writer)->intro(testing::shop_intro());
  (*writer)->mapping(testing::shop_mapping());
  (*writer)->stacks(testing::shop_nodes());
  uint64_t before = 0;
  for (int flush = 0; flush < 3; ++flush) {
    (*writer)->samples(1, testing::main_samples());
    ASSERT_TRUE((*writer)->flush({}));
    const auto profile = load(path_);
    ASSERT_TRUE(profile) << profile.message();
    EXPECT_EQ(profile->total_periods(), before + 26);
    before = profile->total_periods();
  }
}

TEST_F(Load, CallsOfATimeRangeCountForTheirPartOfIt) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  log::Intro intro = testing::shop_intro();
  intro.clock = clock_pair();  // the writer reads the clock too, for the calls
  intro.properties = {{"counter", clock_counter_name()}};
  (*writer)->intro(intro);
  (*writer)->mapping(testing::shop_mapping());
  const auto at = [&intro](uint64_t percent) { return intro.clock.counter + percent * testing::kMs; };
  log::CallList list;
  list.enter(1, at(0)).enter(3, at(10)).allocate(1, 24).leave(3, at(30)).enter(3, at(50)).leave(3, at(70));
  list.leave(1, at(100)).write(**writer, 1, at(0));
  ASSERT_TRUE((*writer)->flush({}));
  const auto whole = load(path_);
  ASSERT_TRUE(whole) << whole.message();
  const int64_t percent = method_calls(*whole)[0].total_ns / 100;
  ASSERT_GT(percent, 0);
  Filter filter;
  filter.from_ns = 20 * percent;
  filter.to_ns = 60 * percent;
  const auto profile = load(path_, filter, {});
  ASSERT_TRUE(profile) << profile.message();
  const std::vector<MethodCalls> methods = method_calls(*profile);
  ASSERT_EQ(methods.size(), 2u);
  const MethodCalls& outer = methods[methods[0].calls == 0 ? 0 : 1];  // entered before the time range
  const MethodCalls& inner = methods[methods[0].calls == 0 ? 1 : 0];
  const auto about = [percent](int64_t ns) { return (ns + percent / 2) / percent; };
  EXPECT_EQ(outer.calls, 0u);
  EXPECT_EQ(about(outer.total_ns), 40);
  EXPECT_EQ(about(outer.self_ns), 20);
  EXPECT_EQ(inner.calls, 1u);
  EXPECT_EQ(about(inner.self_ns), 20);  // from 20 to 30, and from 50 to 60
  EXPECT_EQ(sum_calls(*profile).objects, 0u);
  EXPECT_EQ(sum_calls(*whole).objects, 1u);
}

TEST_F(Load, EveryCutLoadsOrSaysWhyNot) {
  testing::write_shop_log(path_, true);
  const auto size = std::filesystem::file_size(path_);
  uint64_t most = 0;
  for (auto cut = size; cut-- > 0;) {
    std::filesystem::resize_file(path_, cut);
    const auto profile = load(path_);
    if (!profile) {
      EXPECT_FALSE(profile.message().empty());
      continue;
    }
    EXPECT_EQ(profile->state == LogState::kComplete, profile->outcome.ended);
    EXPECT_LE(profile->total_periods(), testing::kPeriods);
    most = std::max(most, profile->total_periods());
  }
  EXPECT_GE(most, 26u);  // of the first flush
}

TEST_F(Load, DamagedBytesAreToldAndSurvived) {
  testing::write_shop_log(path_, true);
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
  std::string content(static_cast<size_t>(size), '\0');
  std::ifstream(path_, std::ios::binary).read(content.data(), size);
  size_t told = 0;
  size_t loaded = 0;
  for (size_t at = 60; at < content.size(); at += 3) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    std::ofstream(path_, std::ios::binary).write(damaged.data(), size);
    const auto profile = load(path_);
    if (!profile) continue;
    ++loaded;
    told += profile->problems.empty() && profile->outcome.corrupt_blocks == 0 ? 0 : 1;
    function_totals(*profile);
  }
  EXPECT_GT(loaded, 0u);
  EXPECT_EQ(told, loaded);  // all damage is reported
}

TEST_F(Load, NoFileAndNoLog) {
  EXPECT_FALSE(load("/no/such/file.oriel"));
  std::ofstream(path_) << "#!/bin/sh\n";
  EXPECT_FALSE(load(path_));
}

TEST_F(Load, VersionOne) {
  using log::ByteBuilder;
  ByteBuilder file;
  const auto clock = [](uint64_t ms) {
    return std::pair{testing::kStart + ms * testing::kMs, testing::kStartUnixUs + ms * 1000};
  };
  const auto add_clock = [&](ByteBuilder& block, uint64_t ms) -> ByteBuilder& {
    return block.number(clock(ms).first).number(clock(ms).second);
  };
  ByteBuilder intro;
  intro.number(1).text("mono").number(0);
  file.block(1, add_clock(intro, 0));
  ByteBuilder mapping;
  add_clock(mapping, 0).number(7);
  mapping.number(1).text("Shop.Cart").number(0);
  mapping.number(128).number(1).text("Total ()").number(0);
  file.block(4, add_clock(mapping, 0));
  ByteBuilder hits;
  hits.number(clock(10).first).number(128).number(128).number(0).number(5).number(0).number(clock(40).first);
  file.block(6, hits);
  ByteBuilder events;
  add_clock(events, 50).number(7).number(clock(50).first);
  events.byte(0x17).number(2).number(2 * testing::kMs);          // collection of generation 2 begins
  events.byte(0x97).number(2).number(3 * testing::kMs).byte(0);  // and ends
  file.block(5, add_clock(events, 60));
  ByteBuilder end;
  end.number(1).number(clock(100).first).number(clock(100).second);
  file.block(7, end);
  std::ofstream(path_, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.bytes().data()), static_cast<std::streamsize>(file.bytes().size()));

  const auto profile = load(path_);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->intro.version, 1u);
  EXPECT_EQ(profile->wall_ns, 100'000'000);
  ASSERT_EQ(profile->samples.size(), 3u);
  EXPECT_EQ(profile->samples[1].ns, 20'000'000);  // spread between start and end
  const auto totals = function_totals(*profile);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(profile->functions[totals[0].function].name, "Shop.Cart.Total ()");
  EXPECT_EQ(totals[0].self, 2u);
  EXPECT_EQ(profile->functions[totals[1].function].name, "[native function 5, not in the log]");
  ASSERT_EQ(profile->collections.size(), 1u);
  EXPECT_EQ(profile->collections[0].generation, 2u);
  EXPECT_EQ(profile->collections[0].pause_ns, 3'000'000);
}

}  // namespace
}  // namespace oriel::profile
