// Coverage: several profilers see the same counters, each from its own beginning; what ran is in the file at any
// moment.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "engine/hits/covered_table.h"
#include "engine/profilers.h"
#include "engine/running_engine.h"
#include "log/counters_file.h"

namespace oriel::hits {
namespace {

using il::CoveragePoint;

class CoverageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "oriel-coverage-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string log() const { return folder_ + "/run.oriel"; }
  std::string path() const { return log::counters_file_of(log()); }
  // What the file says of the only method's counters, by period: "0:101".
  std::string told() const {
    const auto periods = log::read_counters_beside(log());
    if (!periods) return periods.message();
    std::string text;
    for (const log::Coverage& period : *periods) {
      text += (text.empty() ? "" : " ") + std::to_string(period.period) + ":";
      for (const log::MethodHits& method : period.methods)
        for (const log::CoverageHit& point : method.points) text += std::to_string(point.count);
    }
    return text;
  }

  std::string folder_;
};

std::string record(uint32_t points) {
  using coverage_file::put;
  std::string image(1, static_cast<char>(coverage_file::Record::kImage));
  put(image, uint64_t{1});
  for (const char* text : {"a.dll", "/a.dll", "00", "", ""}) put(image, std::string_view(text));
  std::string method(1, static_cast<char>(coverage_file::Record::kMethod));
  for (const uint64_t value : {1, 7}) put(method, value);
  put(method, std::string_view(""));
  for (const uint64_t value : {0u, points}) put(method, uint64_t{value});
  for (uint64_t i = 0; i < points; ++i) {
    put(method, i * 5 << 2 | 1);
    put(method, i);
  }
  return image + method;
}

TEST_F(CoverageTest, EachProfilerBeginsAnewForItself) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), false));
  HitCounters hits(file);
  oriel_profiler_desc first, second;
  hits.add(&first);
  hits.add(&second);
  hits.set_owner(&first);
  uint64_t number = 99;
  uint8_t* const counters = hits.take(3, number);
  ASSERT_NE(counters, nullptr);
  file.append(record(3));
  const auto seen = [&](const oriel_profiler_desc& profiler) {
    std::string text;
    for (uint64_t i = 0; i < 3; ++i) text += hits.ran(&profiler, number + i) ? '1' : '0';
    return text;
  };
  counters[0] = 1;
  EXPECT_EQ(seen(first) + " " + seen(second), "100 100");
  EXPECT_EQ(told(), "0:100");
  ASSERT_TRUE(hits.end_period(&second));
  hits.forget_ended(&second);
  EXPECT_EQ(seen(first) + " " + seen(second), "100 000");
  EXPECT_EQ(told(), "0:100") << "the log's own profiler has not begun anew";
  counters[2] = 1;
  EXPECT_EQ(seen(first) + " " + seen(second), "101 001");
  ASSERT_TRUE(hits.end_period(&first));
  EXPECT_TRUE(hits.ran_in_ended_period(&first, number));
  EXPECT_FALSE(hits.ran_in_ended_period(&first, number + 1));
  EXPECT_EQ(seen(first) + " " + seen(second), "000 001");
  EXPECT_EQ(told(), "0:101 1:000") << "as long as the log may not have it";
  counters[1] = 1;
  hits.forget_ended(&first);
  EXPECT_EQ(seen(first) + " " + seen(second), "010 011");
  EXPECT_EQ(told(), "1:010");
}

TEST_F(CoverageTest, CountsOfAllThreadsAddUpAndNoneIsLostWhereOneBeginsAnew) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), true));
  ThreadCounters counts(file);
  oriel_profiler_desc first, second;
  counts.add(&first);
  counts.add(&second);
  counts.set_owner(&first);
  ASSERT_TRUE(counts.begin());
  uint64_t number = 99;
  const std::optional<int32_t> place = counts.take(3, number);
  ASSERT_TRUE(place);
  file.append(record(3));
  uint8_t* const early = counts.take_region();
  uint8_t* const late = counts.take_region();
  ASSERT_TRUE(early != nullptr && late != nullptr && early != late);
  const auto run = [&](uint8_t* region, size_t which) { ++reinterpret_cast<uint64_t*>(region + *place)[which]; };
  run(early, 0);
  run(late, 0);
  run(late, 2);
  EXPECT_EQ(told(), "0:201");
  ASSERT_TRUE(counts.end_period(&second));
  EXPECT_EQ(counts.count_in_ended_period(&second, number), 2u);
  EXPECT_EQ(counts.count(&second, number), 0u);
  counts.forget_ended(&second);
  EXPECT_EQ(told(), "0:201") << "the log's own profiler has not begun anew";
  ASSERT_TRUE(counts.end_period(&first));
  run(early, 1);
  EXPECT_EQ(told(), "0:201 1:010");
  counts.forget_ended(&first);
  counts.give_back(late);
  uint8_t* const again = counts.take_region();
  EXPECT_EQ(again, late) << "who ended left it";
  run(again, 2);
  uint64_t later = 0;
  const std::optional<int32_t> far = counts.take(8'000, later);
  ASSERT_TRUE(far);
  reinterpret_cast<uint64_t*>(early + *far)[7'999] = 5;
  EXPECT_EQ(counts.count(&first, later + 7'999), 5u);
  EXPECT_EQ(told(), "1:011");
  EXPECT_EQ(counts.count(&second, number + 1), 1u);
}

TEST_F(CoverageTest, AMethodMayHaveMoreCountersThanAChunk) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), true));
  ThreadCounters counts(file);
  oriel_profiler_desc profiler;
  counts.add(&profiler);
  counts.set_owner(&profiler);
  ASSERT_TRUE(counts.begin());
  constexpr uint32_t kMany = 20'000;
  uint64_t before = 0, many = 0, behind = 0;
  ASSERT_TRUE(counts.take(3, before));
  const std::optional<int32_t> place = counts.take(kMany, many);
  const std::optional<int32_t> next = counts.take(1, behind);
  ASSERT_TRUE(place && next);
  uint8_t* const region = counts.take_region();
  uint8_t* const other = counts.take_region();
  const auto counter = [&](uint8_t* of, int32_t first, uint64_t number) -> uint64_t& {
    return *reinterpret_cast<uint64_t*>(of + first + coverage_file::bytes_behind(number));
  };
  for (uint32_t i = 0; i < kMany; ++i) ++counter(region, *place, i);
  counter(other, *place, kMany - 1) += 4;
  counter(other, *next, 0) = 7;
  for (uint32_t i = 0; i < kMany; ++i) ASSERT_EQ(counts.count(&profiler, many + i), i == kMany - 1 ? 5u : 1u) << i;
  EXPECT_EQ(counts.count(&profiler, behind), 7u);
  EXPECT_EQ(counts.count(&profiler, before), 0u);
  // Nothing was counted where the headers of segments are.
  file.append(record(3));
  EXPECT_EQ(told(), "0:000");
  EXPECT_FALSE(counts.take(9'000'000, many)) << "more than a thread has room for";
}

TEST_F(CoverageTest, CountsThatOthersAddUpTo) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), true));
  ThreadCounters counts(file);
  ASSERT_TRUE(counts.begin());
  uint64_t number = 0;
  const std::optional<int32_t> place = counts.take(3, number);
  ASSERT_TRUE(place);
  file.append(record(3));
  auto* const counters = reinterpret_cast<uint64_t*>(counts.take_region() + *place);
  counters[1] = 2;
  counters[2] = 3;
  EXPECT_EQ(told(), "0:023");
  std::string sum(1, static_cast<char>(coverage_file::Record::kSum));
  for (const uint64_t value : {0, 3, 1, 2, 2}) coverage_file::put(sum, value);
  file.append(sum);
  EXPECT_EQ(told(), "0:823");
}

TEST_F(CoverageTest, CountersNeverMoveAndGoOnInAnotherChunk) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), false));
  HitCounters hits(file);
  oriel_profiler_desc profiler;
  hits.add(&profiler);
  uint64_t first = 0, second = 0, third = 0;
  uint8_t* const small = hits.take(10, first);
  uint8_t* const large = hits.take(100'000, second);
  uint8_t* const last = hits.take(10, third);
  ASSERT_TRUE(small && large && last);
  EXPECT_EQ(second, first + 10);
  EXPECT_EQ(third, second + 100'000);
  small[9] = large[99'999] = last[0] = 1;
  for (const uint64_t counter : {first + 9, second + 99'999, third}) EXPECT_TRUE(hits.ran(&profiler, counter));
  EXPECT_FALSE(hits.ran(&profiler, second));
  EXPECT_FALSE(HitCounters::all_hit(large, 2));
  EXPECT_TRUE(HitCounters::all_hit(last, 1));
}

TEST_F(CoverageTest, AFileOfAnotherKindIsLeftAlone) {
  std::ofstream(path()) << "somebody's";
  CounterFile file;
  const Status status = file.create(path(), false);
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("holds no counters"), std::string::npos) << status.message();
  std::string left;
  std::ifstream(path()) >> left;
  EXPECT_EQ(left, "somebody's");
}

TEST_F(CoverageTest, AnEarlierProcessesFileIsReplaced) {
  CounterFile killed, next;
  ASSERT_TRUE(killed.create(path(), false));
  killed.append(record(3));
  ASSERT_TRUE(next.create(path(), false));
  EXPECT_EQ(told(), "0:");
}

TEST_F(CoverageTest, BeyondTheLimitOfFilesCountersLieInMemory) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), false));
  HitCounters hits(file);
  oriel_profiler_desc profiler;
  hits.add(&profiler);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  uint64_t number = 0;
  uint8_t* counters = nullptr;
  const std::string said = test::said_by([&] { counters = hits.take(5, number); });
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_NE(counters, nullptr);
  EXPECT_NE(said.find("ulimit -f"), std::string::npos) << said;
  counters[4] = 1;
  EXPECT_TRUE(hits.ran(&profiler, number + 4));
}

TEST_F(CoverageTest, AFileThatWasMovedDoesNotGrow) {
  CounterFile file;
  ASSERT_TRUE(file.create(path(), false));
  std::filesystem::rename(path(), path() + ".old");
  std::ofstream(path()) << "another";
  coverage_file::Segment* segment = nullptr;
  const std::string said = test::said_by([&] { segment = file.add(coverage_file::Kind::kLive, 1, 0, 10); });
  ASSERT_NE(segment, nullptr);
  EXPECT_NE(said.find("it was moved"), std::string::npos) << said;
  EXPECT_EQ(std::filesystem::file_size(path()), 7u);
}

}  // namespace
}  // namespace oriel::hits
