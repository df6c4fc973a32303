// What tables and functions answer, of a log whose every figure is known.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "exports/build_profile.h"
#include "profile/shop/shop_log.h"
#include "profile/waiting/locks.h"
#include "query/asked.h"
#include "query/source.h"
#include "query/views.h"

namespace oriel::query {
namespace {

using testing::AskedDatabase;
using testing::shop_profile;

TEST(QueryTables, AllAreThereAndHaveTheRowsOfTheProfile) {
  const profile::Profile profile = shop_profile();
  AskedDatabase asked(shop_profile());
  profile::each_table([&](const profile::TableName& table, auto rows) {
    EXPECT_EQ(asked.cell(std::string("select count(*) from ") + table.name), (profile.*rows).size()) << table.name;
    asked.text(std::string("select *, process, run from ") + table.name);
  });
  for (const char* name : {"stacks", "threads", "functions"})
    EXPECT_GT(asked.cell(std::string("select count(*) from ") + name), 0) << name;
}

TEST(QueryTables, AThreadAndAStackHaveTwoColumns) {
  AskedDatabase asked(shop_profile());
  const nlohmann::json row = asked.rows("select * from samples where thread = 'main' order by at limit 1")[0];
  EXPECT_EQ(row["thread"], "main");
  EXPECT_TRUE(row["thread_os_id"].is_number());
  EXPECT_TRUE(row["stack"].is_number());
  EXPECT_TRUE(row["stack_method"].is_string());
  EXPECT_FALSE(row.contains("process")) << "one log: its process would be the same in each row";
}

TEST(QueryTables, ATruncatedStacksTextSaysThatItsCallersAreNotKnown) {
  profile::Profile profile = shop_profile();
  for (size_t node = 1; node < profile.nodes.size(); ++node)
    profile.nodes[node].truncated = profile.nodes[node].parent == 0;
  AskedDatabase asked(std::move(profile));
  const auto stack = asked.cell("select stack from samples where stack_method like 'memcpy%' limit 1");
  EXPECT_THAT(asked.cell("select stack_text(" + stack.dump() + ")").get<std::string>(),
              ::testing::StartsWith("[callers not known];"));
}

TEST(QueryTables, AStackIsItsFrames) {
  AskedDatabase asked(shop_profile());
  const auto stack = asked.cell("select stack from samples where stack_method like 'memcpy%' limit 1");
  const nlohmann::json frames = asked.rows("select * from frames(" + stack.dump() + ") order by depth");
  ASSERT_GE(frames.size(), 3u);
  EXPECT_EQ(frames.front()["stack"], stack);
  EXPECT_EQ(frames.front()["depth"], 0);
  EXPECT_THAT(frames.front()["method"].get<std::string>(), ::testing::StartsWith("memcpy"));
  std::string text;
  for (const nlohmann::json& frame : frames)
    text = frame["method"].get<std::string>() + (text.empty() ? "" : ";") + text;
  EXPECT_EQ(asked.cell("select stack_text(" + stack.dump() + ")"), text);
  EXPECT_EQ(asked.cell("select text from stacks where stack = " + stack.dump()), text);
  EXPECT_EQ(asked.rows("select * from frames(null)").size(), 0u);
  EXPECT_EQ(asked.rows("select * from frames(0)").size(), 0u);
  EXPECT_EQ(asked.rows("select * from frames(1000000000000000000)").size(), 0u);
  EXPECT_THAT(asked.error("select * from frames(1.9)"), ::testing::HasSubstr("takes a stack"));
  EXPECT_THAT(asked.error("select * from frames('x')"), ::testing::HasSubstr("takes a stack"));
  EXPECT_THAT(asked.error("select * from frames(x'00')"), ::testing::HasSubstr("takes a stack"));
}

// An outer join keeps the rows of its left table, whatever its condition says of them.
TEST(QueryTables, AFunctionOfAJoinsConditionLeavesOutNoRows) {
  AskedDatabase asked(shop_profile());
  const nlohmann::json all = asked.cell("select count(*) from samples");
  for (const char* join : {"left", "LEFT OUTER", "full"})
    EXPECT_EQ(asked.cell(fmt::format("select count(*) from samples s {} join (select 1 as one where 0) o on "
                                     "contains(s.stack, 'Nothing.*')",
                                     join)),
              all)
        << join;
  EXPECT_EQ(asked.cell("select count(*) from samples s join threads t on contains(s.stack, 'Nothing.*')"), 0);
}

// As the reports weigh waits that are logged with a chance.
TEST(QueryTables, WaitsByLockAreThoseOfTheReport) {
  profile::Profile profile = shop_profile();
  profile.lock_waits.clear();
  for (const int64_t ns : {250'000, 500'000, 3'000'000}) {
    profile::LockWait wait;
    wait.end_ns = 10'000'000;
    wait.ns = ns;
    wait.type = 1;
    profile.lock_waits.push_back(wait);
  }
  uint64_t waits = 0;
  int64_t waited = 0;
  for (const profile::LockPlace& place : profile::lock_places(profile)) {
    waits += place.waits;
    waited += place.waited_ns;
  }
  AskedDatabase asked(std::move(profile));
  EXPECT_EQ(asked.text("select sum(waits), sum(waited), max(longest) from waits_by_lock", Form::kCsv),
            fmt::format("sum(waits),sum(waited),max(longest)\n{},{},3000000\n", waits, waited));
  EXPECT_EQ(waits, 4u + 2 + 1);
}

TEST(QueryTables, TheThrowerOfAnExceptionIsNotTheRuntimesOwn) {
  profile::Profile profile;
  profile.functions.resize(3);
  profile.functions[1].name = "Lib.Open()";
  profile.functions[2].name = "System.Runtime.EH.DispatchEx()";
  profile.functions[1].managed = profile.functions[2].managed = true;
  profile.nodes.resize(3);
  profile.nodes[1].function = 1;
  profile.nodes[2].parent = 1;
  profile.nodes[2].function = 2;
  profile.thrown_at = {{"Oops", 2, 3}};
  AskedDatabase asked(std::move(profile));
  EXPECT_EQ(asked.text("select * from exceptions_by_stack", Form::kCsv), "type,method,thrown\nOops,Lib.Open(),3\n");
}

TEST(QueryTables, ARowsNumberIsThatOfAFile) {
  AskedDatabase asked(shop_profile());
  EXPECT_EQ(asked.cell("select count(*) from stacks where rowid <> stack"), 0);
  EXPECT_EQ(asked.cell("select stack from stacks where rowid = 2"), 2);
  EXPECT_EQ(asked.cell("select min(rowid) from threads"), 0);
}

TEST(QueryTables, WhatIsReadIsKnown) {
  AskedDatabase asked(shop_profile());
  asked.text("select max(at) from samples");
  EXPECT_THAT(asked.database->columns_read(), ::testing::Contains("samples.at"));
  EXPECT_THAT(asked.database->columns_read(), ::testing::Not(::testing::Contains("samples.periods")));
}

TEST(QueryTables, ListsAreJsonThatAStatementTakesApart) {
  for (const char* function : {"json_each", "json_tree"}) {
    profile::Profile profile = shop_profile();
    profile::CounterSeries& series = profile.series.emplace_back();
    series.name = "requests";
    series.points = {{5, 1.5}, {6, 2}};
    AskedDatabase asked(std::move(profile));
    // The first statement that names the function.
    EXPECT_EQ(asked.cell(std::string("select count(*) from series, ") + function + "(points) where name = 'requests'"),
              std::string(function) == "json_each" ? 2 : 7);
    EXPECT_EQ(asked.cell(std::string("select sum(atom) from ") + function + "('[1, 2]')"), 3);
  }
}

TEST(QueryTables, ContainsTakesPatterns) {
  AskedDatabase asked(shop_profile());
  const std::string periods = "select coalesce(sum(periods), 0) from samples where ";
  EXPECT_EQ(asked.cell(periods + "contains(stack, 'Shop.Program.Main')"), 26);
  EXPECT_EQ(asked.cell(periods + "contains(stack, 'Shop.Cart.Recurse')"), 10);
  EXPECT_EQ(asked.cell(periods + "contains(stack, 'Shop.*,!Shop.*')"), 0);
  // Where it is no condition that a scan knows.
  EXPECT_EQ(asked.cell("select sum(periods) filter (where contains(stack, 'Shop.Cart.Recurse')) from samples"), 10);
  EXPECT_EQ(asked.cell(periods + "contains(stack, 'Shop.Cart.Recurse') or thread = 'nobody'"), 10);
  EXPECT_EQ(asked.cell(periods + "not contains(stack, 'Shop.Cart.Recurse')"), testing::kPeriods - 10);
  EXPECT_THAT(asked.error("select contains(stack, 'a;b') from samples"), ::testing::HasSubstr("';'"));
  EXPECT_THAT(asked.error("select 1 from samples where contains(stack, 'a;b')"), ::testing::HasSubstr("';'"));
  EXPECT_THAT(asked.error("select contains('Shop.Cart', 'Shop.*')"), ::testing::HasSubstr("takes a stack"));
}

TEST(QueryTables, ConditionsThatAScanKnowsLeaveNothingOut) {
  AskedDatabase asked(shop_profile());
  // The unary plus makes a condition SQLite's own.
  for (const auto& [known, own] : {std::pair("at >= 3e6", "+at >= 3e6"),
                                   {"at < 3000000.5", "+at < 3000000.5"},
                                   {"at between 2000000 and 5000000", "+at between 2000000 and 5000000"},
                                   {"at = 4000000", "+at = 4000000"},
                                   {"at > 'x'", "+at > 'x'"},
                                   {"at < 'x'", "+at < 'x'"},
                                   {"at > null", "+at > null"},
                                   {"at < 1e30", "+at < 1e30"},
                                   {"at > -1e30", "+at > -1e30"},
                                   {"thread = 'main'", "+thread = 'main'"},
                                   {"thread = 'MAIN' collate nocase", "+thread = 'MAIN' collate nocase"},
                                   {"thread in ('main', 'worker 1')", "+thread in ('main', 'worker 1')"},
                                   {"stack = 3", "+stack = 3"},
                                   {"stack = 3.0", "+stack = 3.0"},
                                   {"stack = '3'", "+stack = '3'"},
                                   {"rowid = 5", "+rowid = 5"},
                                   {"rowid = 5.0", "+rowid = 5.0"},
                                   {"rowid in (1, 7, 9223372036854775807)", "+rowid in (1, 7)"},
                                   {"stack_method = 'memcpy'", "+stack_method = 'memcpy'"}})
    EXPECT_EQ(asked.rows(std::string("select at, thread, stack from samples where ") + known),
              asked.rows(std::string("select at, thread, stack from samples where ") + own))
        << known;
}

TEST(QueryTables, SeveralLogsAreOneWithTheirProcesses) {
  std::vector<profile::Profile> logs;
  logs.push_back(shop_profile());
  logs.push_back(shop_profile());
  for (uint64_t i = 0; i < 2; ++i) {
    profile::Process process;
    process.name = "Shop";
    process.pid = i + 1;
    process.run = i == 0 ? "r1" : "r2";
    logs[i].processes = {process};
  }
  logs[1].start_unix_us += 5'000;
  const auto first_at = logs[1].samples[0].ns;
  AskedDatabase asked(std::move(logs));
  const nlohmann::json sums =
      asked.rows("select process, run, sum(periods) as periods from samples group by 1, 2 order by 1");
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0], (nlohmann::json{{"process", "Shop (1)"}, {"run", "r1"}, {"periods", testing::kPeriods}}));
  EXPECT_EQ(sums[1]["run"], "r2");
  EXPECT_TRUE(asked.rows("select * from collections limit 1")[0].contains("process"));
  EXPECT_EQ(asked.cell("select at from samples where process = 'Shop (2)' order by samples.rowid limit 1"),
            first_at + 5'000'000);
  EXPECT_EQ(asked.cell("select count(*) from samples where at >= 0 and at < 5000000 and process = 'Shop (2)'"), 0);
  // Numbers of stacks and rows are over all logs.
  EXPECT_EQ(asked.cell("select sum(periods) from samples where contains(stack, 'Shop.Program.Main')"), 52);
  EXPECT_EQ(asked.cell("select count(*) from stacks"), asked.cell("select max(stack) from stacks"));
  EXPECT_EQ(
      asked.cell("select count(*) from samples s join stacks k on k.stack = s.stack and k.method = s.stack_method"),
      asked.cell("select count(stack) from samples"));
  EXPECT_EQ(asked.cell("select self from methods where method like 'Shop.Program.Main%'"), 2);
}

// An async Main, and what waits for it, which people see under its name.
profile::Profile async_main_profile() {
  testing::ProfileBuilder builder;
  const uint32_t made = builder.function("Shop.Program.Main()", "Shop.dll", true, "Shop.Program.<Main>()");
  builder.profile().functions.push_back({"Shop.Program.Main()", "", "Shop.dll", true});
  const auto written = static_cast<uint32_t>(builder.profile().functions.size() - 1);
  const uint32_t thread = builder.thread("main", 1);
  builder.sample(thread, builder.stack({made, written}), 5);
  builder.sample(thread, builder.stack({made}), 1);
  profile::Profile profile = std::move(builder.profile());
  profile.call_nodes = {{}, {0, made}, {1, written}};
  profile.call_figures.resize(3);
  for (uint32_t node : {1u, 2u}) {
    profile::CallFigures& figures = profile.call_figures[node];
    figures.node = node;
    figures.calls = 1;
    figures.self_ns = 10 * node;
  }
  return profile;
}

TEST(QueryTables, FunctionsOfOneNameAreApartInViews) {
  AskedDatabase asked(async_main_profile());
  const nlohmann::json methods = asked.rows("select method, self, total from methods");
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0], (nlohmann::json{{"method", "Shop.Program.Main()"}, {"self", 5}, {"total", 5}}));
  EXPECT_EQ(methods[1], (nlohmann::json{{"method", "Shop.Program.Main()"}, {"self", 1}, {"total", 6}}));
  const nlohmann::json calls = asked.rows("select calls, self, total from called_methods");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0], (nlohmann::json{{"calls", 1}, {"self", 20}, {"total", 20}}));
  EXPECT_EQ(calls[1], (nlohmann::json{{"calls", 1}, {"self", 10}, {"total", 30}}));
  EXPECT_EQ(asked.cell("select count(*) from stacks s join functions f on f.rowid = s.function and f.name = s.method"),
            asked.cell("select count(*) from stacks"));
}

TEST(QueryTables, FunctionsOfSeveralLogsAreOneInViews) {
  std::vector<profile::Profile> logs;
  logs.push_back(testing::shop_profile());
  logs.push_back(async_main_profile());
  logs.push_back(async_main_profile());
  AskedDatabase asked(std::move(logs));
  EXPECT_EQ(asked.rows("select self from methods where method = 'Shop.Program.Main()' order by 1").dump(),
            R"([{"self":2},{"self":10}])");
  EXPECT_EQ(asked.cell("select count(*) from stacks s join functions f on f.rowid = s.function and f.name = s.method"),
            asked.cell("select count(*) from stacks"));
}

TEST(QueryTables, ALogWithoutARunIsToldApartByItsFile) {
  std::vector<profile::Profile> logs;
  for (const char* file : {"small.sql", "threads.sql"}) {
    logs.push_back(shop_profile());
    logs.back().file = file;
    logs.back().processes.resize(1);
    logs.back().processes[0].name = "raku";
    logs.back().processes[0].run.clear();
  }
  AskedDatabase asked(std::move(logs));
  EXPECT_EQ(asked.rows("select process, run, sum(periods) as n from samples group by 1, 2 order by 2").dump(),
            fmt::format(
                R"([{{"n":{0},"process":"raku","run":"small.sql"}},{{"n":{0},"process":"raku","run":"threads.sql"}}])",
                testing::kPeriods));
}

TEST(QueryTables, AnAssemblyThatSeveralLogsCoverIsCountedOnce) {
  std::vector<profile::Profile> logs;
  for (const uint64_t second : {0, 5}) {
    logs.push_back(shop_profile());
    profile::Profile& log = logs.back();
    log.covered_images.resize(1);
    log.covered_images[0].name = "Shop.dll";
    log.covered_images[0].mvid = "0123";
    log.covered_methods.resize(2);
    for (uint32_t row : {0u, 1u}) log.covered_methods[row].row = row + 1;
    log.covered_methods[0].hits = {{.il = 0, .count = 1}, {.il = 2, .count = second}};
    log.covered_methods[1].hits = {{.il = 0}, {.il = 2}};
  }
  AskedDatabase asked(std::move(logs));
  EXPECT_EQ(asked.text("select * from coverage_by_assembly", Form::kCsv),
            "assembly,methods_ran,places,ran\nShop.dll,1,4,2\n");
}

TEST(QueryTables, EachViewCanBeAsked) {
  AskedDatabase asked(shop_profile());
  for (const View& view : views()) asked.text(std::string("select * from ") + view.name);
  const nlohmann::json top = asked.rows("select method, self, total from methods");
  EXPECT_THAT(top[0]["method"].get<std::string>(), ::testing::StartsWith("memcpy"));
  EXPECT_EQ(top[0]["self"], 10);
  uint64_t periods = 0;
  for (const nlohmann::json& row : top) periods += row["self"].get<uint64_t>();
  EXPECT_EQ(periods, testing::kPeriods);
  EXPECT_EQ(asked.cell("select total from methods where method like 'Shop.Program.Main%'"), 26);
  EXPECT_EQ(asked.cell("select total from methods where method like 'Shop.Cart.Recurse%'"), 10)
      << "a recursion counts once";
  EXPECT_EQ(asked.cell("select collections from collections_by_generation where generation = 2"), 1);
}

TEST(QueryTables, NoNameIsThereTwice) {
  std::set<std::string> names = {"frames"};
  for (const Source& source : sources()) {
    EXPECT_TRUE(names.insert(source.name).second) << source.name;
    std::set<std::string> columns;
    for (const Column& column : source.columns) EXPECT_TRUE(columns.insert(column.name).second) << column.name;
  }
  for (const View& view : views()) EXPECT_TRUE(names.insert(view.name).second) << view.name;
}

}  // namespace
}  // namespace oriel::query
