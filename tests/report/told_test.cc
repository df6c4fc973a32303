// Reports of what libraries and the runtime told one by one: requests, counters, collections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  for (size_t i = 0; i < processes; ++i) profile.processes.push_back({.file = "", .name = "Shop", .pid = 100 + i});
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
  EXPECT_THAT(text, HasSubstr("does the same 12 times: SELECT"));
}

}  // namespace
}  // namespace oriel::report
