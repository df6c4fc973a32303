// Reports of single events from libraries and the runtime: requests, counters, collections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/properties.h"
#include "report/report_text.h"
#include "report/summary.h"

namespace oriel::report {
namespace {

using oriel::testing::json_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMs = 1'000'000;

Profile run_of(size_t processes) {
  Profile profile;
  profile.functions.resize(1);
  profile.nodes.resize(1);
  profile.threads.resize(1);
  profile.wall_ns = 1000 * kMs;
  profile.sampling_mode = "none";
  for (size_t i = 0; i < processes; ++i) {
    profile::Process& process = profile.processes.emplace_back();
    process.name = "Shop";
    process.pid = 100 + i;
  }
  return profile;
}

TEST(Told, RequestsAreInTheSummaryWithoutSamplesToo) {
  Profile profile = run_of(1);
  profile.activities.push_back(
      {.end_ns = 50 * kMs, .ns = 20 * kMs, .id = "r", .parent = "", .source = "Web", .name = "GET /", .tags = {}});
  for (int i = 0; i < 12; ++i)
    profile.activities.push_back(
        {.end_ns = 40 * kMs, .ns = kMs, .id = "q", .parent = "r", .source = "Store", .name = "SELECT", .tags = {}});
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, HasSubstr("Requests    1, 20.0 ms on average"));
  EXPECT_THAT(text, HasSubstr("repeats one operation 12 times: SELECT"));
}

TEST(Told, CountersAreOfTheirProcess) {
  Profile profile = run_of(2);
  for (const uint32_t process : {0, 1}) {
    profile.series.push_back({.meter = "Shop.Orders",
                              .name = "stock",
                              .unit = "",
                              .tags = {},
                              .process = process,
                              .points = {{kMs, 5.0 + process}}});
    profile.pool_changes.push_back({.ns = kMs, .threads = 4 + process, .reason = 0, .process = process});
  }
  const std::string text = text_of("counters", profile);
  EXPECT_THAT(text, HasSubstr("  Shop (100): Shop.Orders\n"));
  EXPECT_THAT(text, HasSubstr("  Shop (101): Shop.Orders\n"));
  EXPECT_THAT(text, HasSubstr("Shop (101): thread pool: 5 to 5 workers; 1 "));
  EXPECT_EQ(json_of("counters", profile)["counters"][1]["process"], 1);
  profile.processes.pop_back();
  profile.series.pop_back();
  profile.pool_changes.pop_back();
  EXPECT_THAT(text_of("counters", profile), HasSubstr("Thread pool: 4 to 4 workers; 1 "));
}

TEST(Told, LocksAreRecordedFromTheWaitThatBeganFirst) {
  Profile profile = run_of(1);
  profile.intro.properties = {{std::string(log::property::kLocks), "seen"}};
  profile.lock_waits = {{.end_ns = 500 * kMs, .ns = 100 * kMs}, {.end_ns = 600 * kMs, .ns = 400 * kMs}};
  EXPECT_THAT(text_of("locks", profile), HasSubstr("Recorded from the first contention, at 0.200 s"));
}

TEST(Told, OfSeveralProcessesHeapsAndHandlesAreNotMixed) {
  Profile profile = run_of(2);
  profile::Collection collection;
  collection.generation = 2;
  collection.end_ns = kMs;
  collection.heap.emplace().bytes[2] = 1000;
  collection.detail.emplace().has_heap_counts = true;
  collection.detail->survived.bytes[2] = 500;
  collection.detail->handles = 7;
  profile.collections = {collection, collection};
  profile.gc_heaps = {{.number = 0, .process = 0, .marked = 10}, {.number = 0, .process = 1, .marked = 20}};
  std::string text = text_of("gc", profile);
  for (const char* of_one : {"heap of", "fragmentation", "7 handles"}) EXPECT_THAT(text, Not(HasSubstr(of_one)));
  EXPECT_THAT(text, HasSubstr("pinned objects at a collection"));
  profile.gc_heaps.push_back({.number = 1, .process = 1, .marked = 20});
  EXPECT_THAT(text_of("gc", profile), HasSubstr("heap of Shop (101)"));
  profile.processes.pop_back();
  text = text_of("gc", profile);
  for (const char* of_one : {"fragmentation", "7 handles"}) EXPECT_THAT(text, HasSubstr(of_one));
}

}  // namespace
}  // namespace oriel::report
