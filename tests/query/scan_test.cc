// Conditions reach the tables: rows that cannot be meant are not looked at, or not handed to SQLite.
#include <gtest/gtest.h>

#include "query/asked.h"

namespace oriel::query {
namespace {

using testing::AskedDatabase;

constexpr size_t kRows = 100 * Zone::kRows;

// A sample each microsecond, of two threads, in two stacks.
profile::Profile long_profile() {
  profile::Profile profile;
  profile.functions.resize(3);
  profile.functions[1].name = "Main";
  profile.functions[2].name = "Work";
  profile.nodes = {{}, {0, 1}, {1, 2}};
  profile.call_nodes = {{}};
  profile.threads.resize(2);
  profile.threads[0].name = "main";
  profile.threads[1].name = "other";
  for (uint32_t i = 0; i < kRows; ++i) profile.samples.push_back({i * 1000, i % 2, 1 + i % 2, 1});
  return profile;
}

TEST(QueryScan, ATimeRangeLooksAtItsOwnRows) {
  AskedDatabase asked(long_profile());
  const std::string count = "select count(*) from samples";
  EXPECT_EQ(asked.looked_at(count), kRows);
  EXPECT_LE(asked.looked_at(count + " where at >= 50000000 and at < 50100000"), 2 * Zone::kRows);
  EXPECT_EQ(asked.cell(count + " where at >= 50000000 and at < 50100000"), 100);
  EXPECT_LE(asked.looked_at(count + " where at between 50000000 and 50100000"), 2 * Zone::kRows);
  EXPECT_LE(asked.looked_at(count + " where at = 77000"), Zone::kRows);
  EXPECT_EQ(asked.cell(count + " where at = 77000"), 1);
  EXPECT_EQ(asked.looked_at(count + " where at > 1e15"), 0u);
  EXPECT_EQ(asked.looked_at(count + " where at < -5"), 0u);
}

TEST(QueryScan, ATableThatIsNotSortedIsEnteredToo) {
  profile::Profile profile = long_profile();
  std::vector<profile::Sample>& all = profile.samples.change();
  std::swap(all[3], all[3 * Zone::kRows]);
  AskedDatabase asked(std::move(profile));
  const std::string range = "select count(*) from samples where at >= 1000 and at < 11000";
  EXPECT_EQ(asked.cell(range), 10);
  EXPECT_LE(asked.looked_at(range), 2 * Zone::kRows);
}

TEST(QueryScan, ARowIsFoundByItsNumber) {
  AskedDatabase asked(long_profile());
  EXPECT_EQ(asked.looked_at("select * from samples where rowid = 5000"), 1u);
  EXPECT_EQ(asked.looked_at("select * from stacks where stack = 2"), 1u);
  EXPECT_EQ(asked.cell("select method from stacks where stack = 2"), "Work");
  // A join by number looks at one row for each, not at all.
  EXPECT_LE(asked.looked_at("select count(*) from samples s join stacks k on k.stack = s.stack where s.at < 1000000"),
            2 * (Zone::kRows + 1000));
}

TEST(QueryScan, OfManyLogsOnlyThoseAreLookedAtThatHaveRows) {
  std::vector<profile::Profile> logs;
  for (int64_t i = 0; i < 3; ++i) {
    logs.push_back(long_profile());
    logs.back().start_unix_us = i * 1'000'000;  // the logs follow one another, with pauses
  }
  AskedDatabase asked(std::move(logs));
  const std::string count = "select count(*) from samples where at >= 2000000000 and at < 2000100000";
  EXPECT_EQ(asked.cell(count), 100);
  EXPECT_LE(asked.looked_at(count), Zone::kRows);
  EXPECT_EQ(asked.looked_at("select * from samples where rowid = 250000"), 1u);
}

TEST(QueryScan, AStatementEndsWhenItIsStopped) {
  AskedDatabase asked(long_profile());
  asked.stop = true;
  EXPECT_EQ(asked.error("select count(*) from samples"), "the statement was interrupted");
  EXPECT_EQ(asked.error("with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"),
            "the statement was interrupted");
  asked.stop = false;
  EXPECT_EQ(asked.cell("select count(*) from samples"), kRows);
}

}  // namespace
}  // namespace oriel::query
