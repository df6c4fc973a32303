#include "profile/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "log/properties.h"
#include "profile/build/process.h"
#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/shop/shop_log.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

Process process_with(uint64_t pid, const std::string& command, std::vector<uint64_t> parents = {}) {
  log::Intro intro;
  std::string ids;
  for (const uint64_t parent : parents) ids += " " + std::to_string(parent);
  intro.properties = {{log::property::kCommand, command},
                      {log::property::kPid, std::to_string(pid)},
                      {log::property::kRun, "1-1"},
                      {log::property::kParents, ids}};
  return process_of(intro);
}

Profile shop(uint64_t pid, int64_t later_us) {
  Profile profile = testing::shop_profile();
  profile.start_unix_us += later_us;
  profile.processes = {process_with(pid, "dotnet Shop.dll")};
  profile.processes[0].wall_ns = profile.wall_ns;
  profile.processes[0].periods = profile.total_periods();
  return profile;
}

std::map<std::string, FunctionTotals> totals_of(const Profile& profile) {
  std::map<std::string, FunctionTotals> totals;
  for (const FunctionTotals& entry : function_totals(profile))
    totals[profile.functions[entry.function].name + profile.functions[entry.function].module] = entry;
  return totals;
}

// Several processes of one build could not be told apart otherwise.
TEST(Processes, OfCompilersAndTestsHaveTheirProjectsName) {
  log::Intro intro;
  intro.properties = {{log::property::kCommand, "/sdk/10.0.401/Roslyn/bincore/csc /noconfig @/tmp/a/b.rsp"},
                      {log::property::kPid, "7"},
                      {log::property::kCwd, "/src/Shop.Web"}};
  EXPECT_EQ(process_label(process_of(intro)), "csc of Shop.Web (7)");
  EXPECT_TRUE(process_of(intro).sdk);
  intro.properties[0].second = "dotnet /sdk/10.0.401/FSharp/fsc.dll @/tmp/a/b.rsp";
  EXPECT_EQ(process_label(process_of(intro)), "fsc of Shop.Web (7)");
  intro.properties[0].second = "/sdk/10.0.401/Roslyn/bincore/csc Cart.cs";
  EXPECT_EQ(process_label(process_of(intro)), "csc (7)") << "by hand";
  intro.properties[0].second =
      "dotnet exec --runtimeconfig /bin/Shop.Tests.runtimeconfig.json /pkg/testhost.dll --port 1";
  EXPECT_EQ(process_label(process_of(intro)), "testhost of Shop.Tests (7)");
  intro.properties[0].second = "dotnet Shop.dll @orders.txt";
  EXPECT_EQ(process_label(process_of(intro)), "Shop (7)");
}

// The requested command is the one that started the rest, whatever its log's name.
TEST(Merge, HasTheCommandOfTheProcessThatStartedTheOthers) {
  const auto part = [](uint64_t pid, const std::string& command, int64_t later_us) {
    Profile profile = shop(pid, later_us);
    profile.processes = {process_with(pid, command)};
    profile.intro.properties = {{log::property::kCommand, command}};
    return profile;
  };
  const auto command_of = [](const Profile& whole) { return *property(whole.intro, log::property::kCommand); };
  EXPECT_EQ(command_of(merge({part(2, "dotnet MSBuild.dll", 500), part(1, "dotnet build", 0)})), "dotnet build");
  Profile other = part(1, "dotnet Other.dll", 0);
  other.processes[0].run = "2-2";
  EXPECT_EQ(command_of(merge({part(2, "dotnet Shop.dll", 500), other})), "dotnet Shop.dll") << "of several runs";
}

TEST(Merge, OfOneIsThatOne) {
  const Profile one = testing::shop_profile();
  std::vector<Profile> parts = {one};
  EXPECT_EQ(merge(std::move(parts)).nodes.size(), one.nodes.size());
}

TEST(Merge, FramesStayWhereTheyAreInTheirMethods) {
  const auto placed = [](uint64_t pid, const char* path, uint32_t il) {
    Profile profile = shop(pid, 0);
    profile.places.images = {{}, {"other.dll", "", ""}, {path, "id", "a.pdb"}};
    profile.places.positions = {{}, {1, 1, 1}, {2, 7, il}};
    profile.nodes.back().position = 2;
    profile.thrown_at = {{"Oops", static_cast<uint32_t>(profile.nodes.size() - 1), 1}};
    return profile;
  };
  const auto lines_of = [](const Profile& profile) {
    std::vector<std::string> lines;
    for (const ThrownAt& thrown : profile.thrown_at) {
      const Position& at = profile.places.positions.at(profile.nodes.at(thrown.node).position);
      lines.push_back(profile.places.images.at(at.image).path + " " + std::to_string(at.row) + "+" +
                      std::to_string(at.il) + " x" + std::to_string(thrown.thrown));
    }
    return lines;
  };
  EXPECT_EQ(lines_of(merge({placed(1, "shop.dll", 3), placed(2, "shop.dll", 5)})),
            (std::vector<std::string>{"shop.dll 7+3 x1", "shop.dll 7+5 x1"}));
  EXPECT_EQ(lines_of(merge({placed(1, "shop.dll", 3), placed(2, "shop.dll", 3)})),
            (std::vector<std::string>{"shop.dll 7+3 x2"}));
  EXPECT_EQ(lines_of(merge({placed(1, "shop.dll", 3), placed(2, "else.dll", 3)})),
            (std::vector<std::string>{"shop.dll 7+3 x1", "else.dll 7+3 x1"}));
}

TEST(Merge, ALaterFileOfAProcessAddsWhatIsItsOwn) {
  const auto part = [](int64_t start, uint64_t user, uint64_t system, const char* before, const char* run) {
    Profile profile;
    profile.start_unix_us = start;
    profile.usage.user_us = user;
    profile.usage.system_us = system;
    profile.intro.properties = {{log::property::kCpuBefore, before}};
    Process process;
    process.pid = 7;
    process.run = run;
    profile.processes.push_back(process);
    return profile;
  };
  const auto cpu_of = [](const Profile& whole) { return whole.usage.user_us + whole.usage.system_us; };
  const Profile whole =
      merge({part(2, 300, 60, "120", "a"), part(1, 100, 20, "10", "a"), part(3, 500, 90, "360", "a")});
  EXPECT_EQ(cpu_of(whole), 120u + 240 + 230);
  EXPECT_EQ(*property(whole.intro, log::property::kCpuBefore), "10");
  EXPECT_EQ(cpu_of(merge({part(1, 100, 20, "10", "a"), part(2, 300, 60, "120", "b")})), 480u) << "another run";
  EXPECT_EQ(cpu_of(merge({part(1, 100, 20, "10", ""), part(2, 300, 60, "120", "")})), 480u) << "nothing is known";
}

TEST(Merge, TheSumsOfThePartsAreThoseOfTheWhole) {
  const Profile one = shop(1, 0);
  const Profile both = merge({shop(1, 0), shop(2, 0)});
  EXPECT_EQ(both.total_periods(), 2 * testing::kPeriods);
  EXPECT_EQ(both.unfiltered_periods, 2 * testing::kPeriods);
  EXPECT_EQ(both.functions.size(), one.functions.size());
  EXPECT_EQ(both.nodes.size(), one.nodes.size());
  EXPECT_EQ(both.threads.size(), 2 * one.threads.size());
  EXPECT_EQ(both.collections.size(), 2 * one.collections.size());
  EXPECT_EQ(std::ranges::count(both.collections, 1U, &Collection::process), std::ssize(one.collections));
  EXPECT_EQ(gc_totals(both).pause_ns, 2 * gc_totals(one).pause_ns);
  EXPECT_EQ(both.exceptions.size(), one.exceptions.size());
  EXPECT_EQ(both.exceptions[0].thrown, 2 * one.exceptions[0].thrown);
  EXPECT_EQ(both.call_total().enters, 2 * one.call_total().enters);
  EXPECT_EQ(both.usage.user_us, 2 * one.usage.user_us);
  EXPECT_EQ(both.usage.max_rss_kb, one.usage.max_rss_kb);
  const auto of_one = totals_of(one), of_both = totals_of(both);
  ASSERT_EQ(of_both.size(), of_one.size());
  for (const auto& [name, entry] : of_both) {
    EXPECT_EQ(entry.self, 2 * of_one.at(name).self) << name;
    EXPECT_EQ(entry.total, 2 * of_one.at(name).total) << name;
  }
  const std::vector<Share> shares_one = shares(one), shares_both = shares(both);
  ASSERT_EQ(shares_both.size(), shares_one.size());
  for (size_t i = 0; i < shares_one.size(); ++i) EXPECT_EQ(shares_both[i].periods, 2 * shares_one[i].periods);
}

// A method's logged calls and its async calls are two tellings of the same only where one log has both.
TEST(Merge, AsyncCallsOfOneLogAreNotTheCallsOfAnother) {
  const auto of = [](uint64_t pid, uint64_t calls, size_t async_calls) {
    Profile profile = shop(pid, 0);
    profile.call_nodes.resize(2);
    profile.call_nodes[1].function = 1;
    profile.call_figures.assign(2, {});
    profile.call_figures[1].calls = calls;
    profile.call_figures[1].self_ns = 1000 * static_cast<int64_t>(calls);
    profile.async_calls.assign(async_calls, {});
    for (AsyncCall& call : profile.async_calls) {
      call.function = 1;
      call.start_ns = 0;
      call.end_ns = 70'000;
    }
    if (calls > 0) profile.intro.properties.emplace_back(log::property::kCalls, "*");
    if (async_calls > 0) profile.intro.properties.emplace_back(log::property::kAsync, "all");
    return profile;
  };
  const auto calls_of = [](std::vector<Profile> parts) {
    const Profile whole = merge(std::move(parts));
    const std::vector<MethodCalls> methods = method_calls(whole);
    return methods.empty() ? MethodCalls{} : methods[0];
  };
  EXPECT_EQ(calls_of({of(1, 16, 0), of(2, 0, 2)}).calls, 16u);
  EXPECT_EQ(calls_of({of(1, 16, 0), of(2, 0, 2)}).total_ns, 16'000);
  EXPECT_EQ(calls_of({of(1, 6, 2), of(2, 4, 1)}).calls, 3u) << "each has both";
}

TEST(Merge, ChildrenComeAfterTheirParents) {
  const Profile both = merge({shop(1, 0), shop(2, 0)});
  for (uint32_t i = 1; i < both.nodes.size(); ++i) EXPECT_LT(both.nodes[i].parent, i);
  for (uint32_t i = 1; i < both.call_nodes.size(); ++i) EXPECT_LT(both.call_nodes[i].parent, i);
  EXPECT_EQ(both.call_figures.size(), both.call_nodes.size());
}

TEST(Merge, TimesAreSinceTheStartOfTheEarliest) {
  const Profile one = shop(1, 0);
  const Profile both = merge({shop(2, 50'000), shop(1, 0)});
  EXPECT_EQ(both.start_unix_us, one.start_unix_us);
  EXPECT_EQ(both.wall_ns, one.wall_ns + 50'000'000);
  EXPECT_EQ(both.samples[0].ns, one.samples[0].ns + 50'000'000);
  EXPECT_EQ(both.processes[0].start_ns, 50'000'000);
  EXPECT_EQ(both.processes[1].start_ns, 0);
  EXPECT_TRUE(std::ranges::is_sorted(both.collections, {}, &Collection::start_ns));
}

TEST(Merge, EachProcessKeepsItsSamplesUnderAFilter) {
  Profile both = merge({shop(1, 0), shop(2, 0)});
  Filter filter;
  filter.thread = "main";
  apply(filter, both);
  EXPECT_EQ(both.total_periods(), 52u);
  EXPECT_EQ(both.processes[0].periods, 26u);
  EXPECT_EQ(both.processes[1].periods, 26u);
}

TEST(Merge, OnlyWhatIsSampledAlike) {
  std::vector<Profile> parts = {shop(1, 0), shop(2, 0)};
  EXPECT_TRUE(check_alike(parts));
  parts[1].file = "b.oriel";
  parts[1].sampling_hz += 1;
  ASSERT_FALSE(check_alike(parts));
  EXPECT_NE(check_alike(parts).message().find("'b.oriel'"), std::string::npos);
}

TEST(Merge, TimesThatOnlyACorruptLogHasDoNotOverflow) {
  Profile far = shop(1, 0);
  far.start_unix_us = INT64_MAX;
  far.wall_ns = INT64_MAX;
  EXPECT_GE(merge({shop(2, 0), far}).wall_ns, 0);
  far.start_unix_us = INT64_MIN;
  EXPECT_GE(merge({shop(2, 0), far}).wall_ns, 0);
}

TEST(ProcessOf, TheSdkIsToldFromPrograms) {
  EXPECT_TRUE(process_with(1, "dotnet build").sdk);
  EXPECT_TRUE(process_with(1, "dotnet /usr/lib/dotnet/sdk/10.0.401/MSBuild.dll /nodemode:1").sdk);
  EXPECT_TRUE(
      process_with(1, "'/usr/lib/my dotnet/dotnet' exec '/usr/lib/my dotnet/sdk/10.0.401/Roslyn/bincore/csc.dll'").sdk);
  EXPECT_FALSE(process_with(1, "dotnet Shop.dll").sdk);
  EXPECT_FALSE(process_with(1, "dotnet exec --depsfile a.json /home/x/testhost.dll --port 1").sdk);
  EXPECT_FALSE(process_with(1, "/src/Shop/bin/Debug/net10.0/Shop").sdk);
  EXPECT_EQ(process_label(process_with(7, "dotnet exec '/a b/Shop.dll' x")), "Shop (7)");
}

TEST(Meant, IsTheProgramOfDotnetRunAndAllOfDotnetBuild) {
  const Process compiler = process_with(3, "dotnet /d/sdk/10.0/csc.dll");
  const Process shop = process_with(2, "/src/Shop");
  EXPECT_EQ(user_processes({process_with(1, "dotnet run"), shop, compiler}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(user_processes({process_with(1, "dotnet build"), shop, compiler}), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(user_processes({process_with(1, "dotnet run"), compiler}), (std::vector<bool>{true, true}));
  EXPECT_EQ(user_processes({shop}), (std::vector<bool>{true}));
}

}  // namespace
}  // namespace oriel::profile
